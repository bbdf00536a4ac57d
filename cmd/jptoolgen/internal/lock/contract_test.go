package lock_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// offering is like sample, with a template and a prompt.
func offering() *manifest.Server {
	s := sample()
	s.Templates = []manifest.Resource{{
		URITemplate: "note://{id}", Name: "note", Title: "A note", Description: "A note.", MIMEType: "text/markdown", TTL: 1000,
		Lists: true, Completes: []string{"id"}, Fails: []string{"not_found"},
		Input: manifest.Schema(`{"type":"object","properties":{"id":{"type":"string","description":"Its id."}}}`),
	}}
	s.Prompts = []manifest.Prompt{{
		Name: "sum", Title: "Sum", Description: "Sums.", Completes: []string{"id"},
		Input: manifest.Schema(`{"type":"object","properties":{"id":{"type":"string","description":"Its id."}}}`),
	}}
	return s
}

// The digests cover resources and prompts: the contract digest all but their words.
func TestSumOfResourcesAndPrompts(t *testing.T) {
	base, err := lock.Sum(offering())
	if err != nil {
		t.Fatal(err)
	}
	template := func(edit func(*manifest.Resource)) func(*manifest.Server) {
		return func(s *manifest.Server) { edit(&s.Templates[0]) }
	}
	prompt := func(edit func(*manifest.Prompt)) func(*manifest.Server) {
		return func(s *manifest.Server) { edit(&s.Prompts[0]) }
	}
	for name, tc := range map[string]struct {
		edit     func(*manifest.Server)
		contract bool // whether the contract digest changes
	}{
		"title":             {template(func(r *manifest.Resource) { r.Title = "Note" }), false},
		"description":       {template(func(r *manifest.Resource) { r.Description = "Note." }), false},
		"icon":              {template(func(r *manifest.Resource) { r.Icon = "https://example.com/i.png" }), false},
		"meta":              {template(func(r *manifest.Resource) { r.Meta = manifest.Schema(`{"a":1}`) }), false},
		"schema words":      {template(func(r *manifest.Resource) { edit(&r.Input, "Its id.", "The id.") }), false},
		"URI":               {template(func(r *manifest.Resource) { r.URITemplate = "notes://{id}" }), true},
		"MIME type":         {template(func(r *manifest.Resource) { r.MIMEType = "text/plain" }), true},
		"ttl":               {template(func(r *manifest.Resource) { r.TTL = 0 }), true},
		"lists":             {template(func(r *manifest.Resource) { r.Lists = false }), true},
		"watches":           {template(func(r *manifest.Resource) { r.Watches = true }), true},
		"directory":         {template(func(r *manifest.Resource) { r.Directory = true }), true},
		"completes":         {template(func(r *manifest.Resource) { r.Completes = nil }), true},
		"variable":          {template(func(r *manifest.Resource) { edit(&r.Input, `"string"`, `"integer"`) }), true},
		"code":              {template(func(r *manifest.Resource) { r.Fails = nil }), true},
		"options":           {template(func(r *manifest.Resource) { r.Options = manifest.Schema(`{"type":"object"}`) }), true},
		"prompt title":      {prompt(func(p *manifest.Prompt) { p.Title = "Total" }), false},
		"prompt icon":       {prompt(func(p *manifest.Prompt) { p.Icon = "https://example.com/i.png" }), false},
		"prompt name":       {prompt(func(p *manifest.Prompt) { p.Name = "total" }), true},
		"prompt argument":   {prompt(func(p *manifest.Prompt) { edit(&p.Input, `"id"`, `"note"`) }), true},
		"prompt completion": {prompt(func(p *manifest.Prompt) { p.Completes = nil }), true},
	} {
		s := offering()
		tc.edit(s)
		got, err := lock.Sum(s)
		if err != nil {
			t.Fatal(err)
		}
		if moved := got.Contract != base.Contract; moved != tc.contract {
			t.Errorf("%s: contract digest changed: %t, want %t", name, moved, tc.contract)
		}
		if got.Full == base.Full {
			t.Errorf("%s: the full digest has not changed", name)
		}
	}
}

func sample() *manifest.Server {
	yes := true
	return &manifest.Server{
		Format: manifest.Format, Name: "notes", Description: "Searches notes.", Clients: manifest.JP, Unknown: manifest.Ignore,
		Codes: []manifest.Code{{Name: "locked", Description: "The note is locked."}},
		Tools: []manifest.Tool{{
			Name: "note_get", Title: "Get", Description: "Gets a <note>.", Annotations: manifest.Annotations{ReadOnly: &yes},
			Input: manifest.Schema(`{"type":"object","properties":{"title":{"type":"string","description":"Its title."}}}`),
			Fails: []string{"not_found"},
			Questions: []manifest.Question{{
				ID: "pick", Kind: "choice", Description: "Which?", Default: manifest.Schema(`"a"`),
				Schema: manifest.Schema(`{"type":"string","enum":["a"]}`), Answers: []manifest.Value{{Value: "a"}},
			}},
		}},
		Skills: []manifest.Skill{{
			Path: "review", Frontmatter: manifest.Schema(`{"name":"review","description":"Reviews notes."}`),
			Files: []manifest.SkillFile{{Path: "SKILL.md", Digest: "sha256:0", Size: 3}},
		}},
	}
}

func TestReadRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"not JSON":          {"{", "reading the contract"},
		"merge conflict":    {"<<<<<<< HEAD\n{}", "reading the contract"},
		"another shape":     {`{"format":1,"tools":{}}`, "reading the contract"},
		"duplicate names":   {`{"format":1,"name":"a","name":"b"}`, "reading the contract"},
		"another format":    {`{"format":2,"name":"a"}`, "format 2"},
		"no format":         {`{}`, `not a contract: "format" is missing`},
		"two documents":     {`{"format":1}{"format":1}`, "reading the contract"},
		"a number for text": {`{"format":1,"name":7}`, "reading the contract"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := lock.Read([]byte(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Read(%s) = %v, want an error with %q", tc.text, err, tc.want)
			}
		})
	}
}

func TestWriteThenRead(t *testing.T) {
	text, err := sample().Write()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "Gets a <note>.") || !strings.HasSuffix(string(text), "}\n") {
		t.Errorf("the text has escapes or no final newline:\n%s", text)
	}
	back, err := lock.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.Write()
	if err != nil || string(again) != string(text) {
		t.Errorf("writing it again yields a different text (%v):\n%s", err, again)
	}
	if _, ok := back.Tool("note_get"); !ok {
		t.Error("Tool does not find the tool")
	}
	if _, ok := back.Tool("note_put"); ok {
		t.Error("Tool finds a tool that does not exist")
	}
}

func TestSum(t *testing.T) {
	base, err := lock.Sum(sample())
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		edit           func(*manifest.Server)
		contract, full bool // whether the digest changes
	}{
		"recorded hash": {func(s *manifest.Server) { s.Hash.Full = "sha256:0" }, false, false},
		"description":   {func(s *manifest.Server) { s.Tools[0].Description += " Now." }, false, true},
		"title":         {func(s *manifest.Server) { s.Tools[0].Title = "Fetch" }, false, true},
		"icon":          {func(s *manifest.Server) { s.Tools[0].Icon = "https://example.com/i.png" }, false, true},
		"meta":          {func(s *manifest.Server) { s.Tools[0].Meta = manifest.Schema(`{"a":1}`) }, false, true},
		"list budget":   {func(s *manifest.Server) { s.ListBudget = 900 }, false, true},
		"skill file":    {func(s *manifest.Server) { s.Skills[0].Files[0].Digest = "sha256:1" }, false, true},
		"skill text":    {func(s *manifest.Server) { s.Skills[0].Frontmatter = manifest.Schema(`{"name":"review"}`) }, false, true},
		"skill path":    {func(s *manifest.Server) { s.Skills[0].Path = "team/review" }, true, true},
		"order of keys": {func(s *manifest.Server) {
			s.Tools[0].Questions[0].Schema = manifest.Schema(`{"enum": ["a"], "type": "string"}`)
		}, false, false},
		"schema words":      {func(s *manifest.Server) { edit(&s.Tools[0].Input, "Its title.", "The title.") }, false, true},
		"name of property":  {func(s *manifest.Server) { edit(&s.Tools[0].Input, `"title"`, `"description"`) }, true, true},
		"example":           {func(s *manifest.Server) { edit(&s.Tools[0].Input, `"string",`, `"string","examples":["x"],`) }, false, true},
		"property example":  {func(s *manifest.Server) { edit(&s.Tools[0].Input, `"title"`, `"examples"`) }, true, true},
		"type":              {func(s *manifest.Server) { edit(&s.Tools[0].Input, `"string"`, `"integer"`) }, true, true},
		"word in a default": {func(s *manifest.Server) { s.Tools[0].Questions[0].Default = manifest.Schema(`{"title":"x"}`) }, true, true},
		"code":              {func(s *manifest.Server) { s.Tools[0].Fails = nil }, true, true},
		"default":           {func(s *manifest.Server) { s.Tools[0].Questions[0].Default = nil }, true, true},
		"hint":              {func(s *manifest.Server) { s.Tools[0].Annotations.ReadOnly = nil }, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := sample()
			tc.edit(s)
			got, err := lock.Sum(s)
			if err != nil {
				t.Fatal(err)
			}
			if moved := got.Contract != base.Contract; moved != tc.contract {
				t.Errorf("contract digest changed: %t, want %t", moved, tc.contract)
			}
			if moved := got.Full != base.Full; moved != tc.full {
				t.Errorf("full digest changed: %t, want %t", moved, tc.full)
			}
		})
	}
}

func edit(schema *manifest.Schema, from, to string) {
	*schema = manifest.Schema(strings.Replace(string(*schema), from, to, 1))
}

func ExampleRead() {
	contract, err := lock.Read([]byte(`{
		"format": 1, "name": "notes", "description": "Searches notes.", "clients": "jp", "unknown": "ignore",
		"hash": {"contract": "", "full": ""},
		"tools": [{"name": "note_get", "description": "Gets a note.", "input": {"type": "object"}}]
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range contract.Tools {
		fmt.Println(t.Name, t.Input)
	}
	// Output: note_get {"type": "object"}
}
