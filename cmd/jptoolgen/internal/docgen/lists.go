package docgen

import "github.com/jptool/jptool/sdk/gen/manifest"

func (w *writer) resources(anchor, title string, list []manifest.Resource) {
	if len(list) == 0 {
		return
	}
	w.heading(2, anchor, title)
	w.line("| URI | type | description |")
	w.line("| --- | --- | --- |")
	for _, r := range list {
		w.line("| %s | %s | %s |", code(r.URI+r.URITemplate), cell(r.MIMEType), cell(r.Description))
	}
	w.line("")
}

func (w *writer) prompts() {
	if len(w.server.Prompts) == 0 {
		return
	}
	w.heading(2, "prompts", "Prompts")
	for _, p := range w.server.Prompts {
		w.para("### %s", code(p.Name))
		if p.Description != "" {
			w.para("%s", plain(p.Description))
		}
		for i, a := range p.Arguments {
			if i == 0 {
				w.line("| argument | | meaning |")
				w.line("| --- | --- | --- |")
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
	}
}
