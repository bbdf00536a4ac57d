package opener_test

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/opener"
)

func TestValidateRefuses(t *testing.T) {
	ok := opener.Draft{Title: "T"}
	with := func(change func(*opener.Draft)) opener.Draft {
		d := ok
		change(&d)
		return d
	}
	tag := func(tag string) opener.Draft {
		return with(func(d *opener.Draft) { d.Tags = []string{"fine", tag} })
	}
	title := func(title string) opener.Draft { return with(func(d *opener.Draft) { d.Title = title }) }
	for _, c := range []struct {
		name  string
		draft opener.Draft
		field string
	}{
		{"no title", title(""), "title"},
		{"blank title", title(" \u00a0"), "title"},
		{"two lines", title("a\nb"), "title"},
		{"carriage return", title("a\rb"), "title"},
		{"line separator", title("a\u2028b"), "title"},
		{"zero byte", title("a\x00b"), "title"},
		{"broken UTF-8", title("a\xff"), "title"},
		{"long title", title(strings.Repeat("ä", 257)), "title"},
		{"empty tag", tag(""), "tags"},
		{"blank tag", tag("  "), "tags"},
		{"tag with its mark", tag("#a"), "tags"},
		{"mark within a tag", tag("a #b"), "tags"},
		{"tag of two lines", tag("a\nb"), "tags"},
		{"tag with an escape", tag("a\x1bb"), "tags"},
		{"tag of broken UTF-8", tag("\xff"), "tags"},
		{"long tag", tag(strings.Repeat("x", 101)), "tags"},
		{"slash first", tag("/a"), "tags"},
		{"slash last", tag("a/"), "tags"},
		{"two slashes", tag("a//b"), "tags"},
		{"many tags", with(func(d *opener.Draft) { d.Tags = make([]string, 51) }), "tags"},
		{"long content", with(func(d *opener.Draft) { d.Content = strings.Repeat("x", 64<<10+1) }), "content"},
		{"zero byte in content", with(func(d *opener.Draft) { d.Content = "\x00" }), "content"},
		{"content of broken UTF-8", with(func(d *opener.Draft) { d.Content = "\xff" }), "content"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var invalid *opener.InvalidError
			if err := c.draft.Validate(); !errors.As(err, &invalid) || invalid.Field != c.field {
				t.Errorf("got %v, want one about %s", err, c.field)
			}
		})
	}
	everything := opener.Draft{Tags: []string{"#", ""}, Content: "\x00"}
	if err := everything.Validate(); err == nil || strings.Count(err.Error(), "\n") != 3 {
		t.Errorf("not all problems at once: %v", err)
	}
	largest := opener.Draft{Title: strings.Repeat("ä", 256), Tags: []string{"two words", "a/b"}, Content: strings.Repeat("x", 64<<10)}
	if err := largest.Validate(); err != nil {
		t.Errorf("the largest draft: %v", err)
	}
}

func ExampleDraft_URL() {
	fmt.Println(opener.Draft{Title: "Größe", Tags: []string{"work", "two words"}, Content: "50% & more?\n"}.URL())
	// Output:
	// bear://x-callback-url/create?text=%23%20Gr%C3%B6%C3%9Fe%0A%23work%20%23two%20words%23%0A%0A50%25%20%26%20more%3F%0A&open_note=no&show_window=no
}

func TestURL(t *testing.T) {
	const before, after = "bear://x-callback-url/create?text=", "&open_note=no&show_window=no"
	for _, c := range []struct {
		draft opener.Draft
		text  string
	}{
		{opener.Draft{Title: "T"}, "# T\n\n\n"},
		{opener.Draft{Title: " T ", Tags: []string{" a "}}, "# T\n#a\n\n"},
		{opener.Draft{Title: "T", Tags: []string{"a/b", "c d/e", "f"}, Content: "x\n"}, "# T\n#a/b #c d/e# #f\n\nx\n"},
		{opener.Draft{Title: "T&open_note=yes#?+", Content: "&text=forged"}, "# T&open_note=yes#?+\n\n\n&text=forged"},
		{opener.Draft{Title: "A-Za.z0_9~!*'()", Content: "\u2028日"}, "# A-Za.z0_9~!*'()\n\n\n\u2028日"},
	} {
		got := c.draft.URL()
		encoded, ok := strings.CutPrefix(got, before)
		encoded, ok2 := strings.CutSuffix(encoded, after)
		text, err := url.PathUnescape(encoded)
		if !ok || !ok2 || err != nil || text != c.text {
			t.Errorf("%+v: got %s, which is %q, %v; want %q", c.draft, got, text, err, c.text)
		}
		if strings.ContainsAny(encoded, "&=#?+ !*'()/") {
			t.Errorf("%s holds a byte that is not encoded", encoded)
		}
	}
}
