package content_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/content"
)

func TestCheckRefuses(t *testing.T) {
	png := []byte("\x89PNG")
	said := func(a content.Annotations) content.Block { return content.Text{Text: "x", Annotations: a} }
	for name, test := range map[string]struct {
		block content.Block
		want  string
	}{
		"nil":               {nil, "block 2: the block is nil"},
		"pointer":           {&content.Text{Text: "x"}, "block 2: the block is a *content.Text; use a value instead of a pointer"},
		"nil pointer":       {(*content.Resource)(nil), "block 2: the block is a *content.Resource; use a value instead of a pointer"},
		"role":              {said(content.Annotations{Audience: []content.Role{content.User, "system"}}), `block 2 (text): unknown role "system" in the audience`},
		"priority below":    {said(content.Annotations{Priority: new(-0.1)}), "block 2 (text): the priority -0.1 is not between 0 and 1"},
		"priority above":    {said(content.Annotations{Priority: new(1.5)}), "block 2 (text): the priority 1.5 is not between 0 and 1"},
		"priority NaN":      {said(content.Annotations{Priority: new(math.NaN())}), "block 2 (text): the priority NaN is not between 0 and 1"},
		"year":              {said(content.Annotations{LastModified: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}), "block 2 (text): the year of LastModified cannot be written in RFC 3339 format"},
		"text type":         {content.Text{MIMEType: "markdown"}, `block 2 (text): "markdown" is not a MIME type`},
		"no URI":            {content.Resource{Text: "x"}, "block 2 (resource): the URI is missing"},
		"relative URI":      {content.Resource{URI: "src/main.rs"}, "block 2 (resource): the URI is relative"},
		"rooted URI":        {content.Resource{URI: "/src/main.rs"}, "block 2 (resource): the URI is relative"},
		"Windows path":      {content.Resource{URI: `C:\src\main.rs`}, "block 2 (resource): the URI is a Windows path; convert it with content.FileURI"},
		"opaque file":       {content.File("", "src/main.rs", nil), "block 2 (resource): the file URI has no absolute path"},
		"blank in URI":      {content.Resource{URI: "file:///a b"}, "block 2 (resource): the URI contains spaces or control characters"},
		"malformed URI":     {content.Resource{URI: "https://user:secret@host:port/"}, "block 2 (resource): the URI is malformed"},
		"text and blob":     {content.Resource{URI: "urn:b", Text: "x", Blob: []byte{}}, "block 2 (resource): the resource has both text and blob"},
		"resource type":     {content.Resource{URI: "urn:b", MIMEType: "a/b/c"}, `block 2 (resource): "a/b/c" is not a MIME type`},
		"image, no type":    {content.Image{Data: png}, "block 2 (image): the MIME type is missing"},
		"image, other type": {content.Image{Data: png, MIMEType: "application/pdf"}, `block 2 (image): the MIME type "application/pdf" does not start with image/`},
		"image, bare type":  {content.Image{Data: png, MIMEType: "image/"}, `block 2 (image): "image/" is not a MIME type`},
		"image, no data":    {content.Image{MIMEType: "image/png"}, "block 2 (image): the data is empty"},
		"audio, no type":    {content.Audio{Data: png}, "block 2 (audio): the MIME type is missing"},
		"audio, image":      {content.Audio{Data: png, MIMEType: "image/png"}, `block 2 (audio): the MIME type "image/png" does not start with audio/`},
		"link, no name":     {content.Link{URI: "https://example.org"}, "block 2 (resource_link): the name is missing"},
		"link, no URI":      {content.Link{Name: "x"}, "block 2 (resource_link): the URI is missing"},
		"waiting":           {content.Status("waiting"), "block 2 (status): a tool must ask a question to wait for input"},
		"no status":         {content.Status(""), `block 2 (status): unknown status ""`},
	} {
		t.Run(name, func(t *testing.T) {
			err := content.Blocks{content.Text{Text: "fine"}, test.block}.Check()
			var e *content.Error
			if !errors.As(err, &e) || e.Block != 1 || err.Error() != test.want {
				t.Errorf("Check() = %v, want %s", err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error repeats a password: %s", err)
			}
		})
	}
	if err := (content.Blocks{content.Running, content.Stopped}).Check(); err == nil || err.Error() != "block 2 (status): a result may have only one status" {
		t.Errorf("two statuses: %v", err)
	}
}

func TestCheckAccepts(t *testing.T) {
	all := content.Annotations{Audience: []content.Role{content.User, content.Assistant}, Priority: new(0.0), LastModified: time.Now()}
	for name, blocks := range map[string]content.Blocks{
		"none":   nil,
		"text":   {content.Text{}, content.Text{Text: "x", MIMEType: "text/markdown; variant=GFM", Annotations: all}},
		"files":  {content.File("/ws", "empty", nil), content.File(`C:\ws`, "a b", []byte{0})},
		"others": {content.At("https://example.org/?q=a%20b", nil), content.At("mailto:a@example.org", nil), content.At("jp+x://é", nil)},
		"media":  {content.Image{Data: []byte{1}, MIMEType: "image/svg+xml", Annotations: all}, content.Audio{Data: []byte{1}, MIMEType: "audio/wav"}},
		"link":   {content.Link{URI: "bear://note/1", Name: "Shopping", MIMEType: "text/markdown", Annotations: all}},
		"status": {content.Of("x")[0], content.Running},
		"binary": {content.Resource{URI: "urn:b", Blob: []byte{}}},
	} {
		if err := blocks.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
