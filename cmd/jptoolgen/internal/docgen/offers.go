package docgen

import (
	"fmt"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// entry describes the fields that entries have in common. list is the list that contains the entry.
func (w *writer) entry(e manifest.Entry, list string) {
	for _, f := range manifest.Fields {
		sentence := f.Describe(e, f.Doc, plain)
		w.paraIf(sentence != "", "%s", sentence)
	}
	w.paraIf(len(e.Scopes) > 0, "Where callers are authenticated, they need these OAuth scopes: %s.", codes(e.Scopes))
	w.paraIf(e.Meta != nil, "Its %s in %s is %s.", code("_meta"), list, code(string(e.Meta)))
}

// ResourceFacts returns phrases about a resource that its schemas do not contain.
func ResourceFacts(r *manifest.Resource) (facts []string) {
	add := func(applies bool, text string) {
		if applies {
			facts = append(facts, text)
		}
	}
	add(r.Directory, "files of a directory")
	add(r.Lists, "listed")
	add(r.Watches, "subscriptions")
	add(r.TTL > 0, "cacheable for "+phrase.Duration(r.TTL))
	return facts
}

// Tasks describes when calls become tasks, in one line. It returns "" if they never do.
func Tasks(t manifest.Task) string {
	var text string
	switch t.Mode {
	case "":
		return ""
	case manifest.TaskAuto:
		text = "Calls may become tasks%s, if the client supports tasks."
	default:
		text = "Calls become tasks%s, so only clients that support tasks can call it."
	}
	after := ""
	if t.After > 0 {
		after = " after " + phrase.Duration(t.After)
	}
	return fmt.Sprintf(text, after) + fmt.Sprintf(" The server keeps a task for %s; clients should ask for its state every %s.",
		phrase.Duration(t.TTL), phrase.Duration(t.Poll))
}

// resources adds a table of resources, and a section for each one whose contract says more.
func (w *writer) resources(anchorOf, title string, list []manifest.Resource) error {
	if len(list) == 0 {
		return nil
	}
	w.heading(2, anchorOf, title)
	w.table("| URI | type | description |")
	for _, r := range list {
		w.line("| %s | %s | %s |", code(r.URI+r.URITemplate), cell(r.MIMEType), cell(r.Description))
	}
	w.line("")
	for _, r := range list {
		t, facts := r.AsTool(), ResourceFacts(&r)
		if len(facts)+len(r.Input)+len(t.Questions)+len(t.Options)+len(t.Fails) == 0 && !r.Files {
			continue
		}
		at := "resource-" + anchor(r.Name)
		w.heading(3, at, code(r.Name))
		w.paraIf(r.Title != "", "**%s**", plain(r.Title))
		w.para("Its URI is %s.", code(r.URI+r.URITemplate))
		w.paraIf(r.Directory, "It has the files of a directory.")
		w.paraIf(r.Lists, "The list of resources contains its resources.")
		w.paraIf(r.Watches, "Clients can subscribe to its changes.")
		w.paraIf(r.TTL > 0, "Clients may cache its content for %s.", phrase.Duration(r.TTL))
		w.entry(r.Entry(), "the list of resources")
		if err := w.values("variable", at, r.Completes, *t, r.Input != nil); err != nil {
			return fmt.Errorf("resource %s: %w", r.Name, err)
		}
	}
	return nil
}

func (w *writer) prompts() error {
	for i, p := range w.server.Prompts {
		if i == 0 {
			w.heading(2, "prompts", "Prompts")
		}
		at := "prompt-" + anchor(p.Name)
		if p.Input != nil {
			w.para(`<a id="%s"></a>`, at)
		}
		w.para("### %s", code(p.Name))
		w.paraIf(p.Title != "", "**%s**", plain(p.Title))
		w.paraIf(p.Description != "", "%s", plain(p.Description))
		w.entry(p.Entry(), "the list of prompts")
		for i, a := range p.Arguments {
			if i == 0 {
				w.table("| argument | | meaning |")
			}
			required := ""
			if a.Required {
				required = "required"
			}
			w.line("| %s | %s | %s |", code(a.Name), required, cell(a.Description))
		}
		if len(p.Arguments) > 0 {
			w.line("")
		}
		if err := w.values("argument", at, p.Completes, *p.AsTool(), p.Input != nil); err != nil {
			return fmt.Errorf("prompt %s: %w", p.Name, err)
		}
	}
	return nil
}

// values adds the variables or arguments of t, unless a list has described them, and everything that calls have.
func (w *writer) values(kind, at string, completes []string, t manifest.Tool, described bool) error {
	object, err := shape.Parse(t.Input)
	if err != nil {
		return err
	}
	if described {
		w.rows(kind, object)
	}
	var names []string
	for _, name := range completes {
		names = append(names, code(name))
	}
	if len(names) > 0 {
		w.para("The server completes %s.", join(names))
	}
	return w.call(at, 4, t)
}
