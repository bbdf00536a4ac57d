package adopt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/gotypes"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// An offering is a resource, a template or a prompt to adopt.
type offering struct {
	view      *manifest.Tool
	kind      string // in notes
	label     string // the URI of a resource, or the name of a prompt
	directive string // its arguments after the name
	input     manifest.Schema
	binary    bool
}

// offers writes a method for each resource, template and prompt that a directive can describe.
func (s *source) offers(methods gotypes.Names) error {
	var all []offering
	for _, r := range slices.Concat(s.contract.Resources, s.contract.Templates) {
		o := offering{view: r.AsTool(), kind: "resource", label: r.URI + r.URITemplate, input: r.Variables()}
		if r.URITemplate != "" {
			o.kind = "resource template"
		}
		o.directive = " uri=" + quoted(o.label)
		if r.MIMEType != "" {
			o.directive += " mime=" + quoted(r.MIMEType)
		}
		if r.TTL > 0 {
			o.directive += fmt.Sprintf(" ttl=%dms", r.TTL)
		}
		o.binary = !isText(r.MIMEType)
		all = append(all, o)
	}
	for i := range s.contract.Prompts {
		p := &s.contract.Prompts[i]
		all = append(all, offering{
			view: p.AsTool(), kind: "prompt", label: p.Name, input: p.AsTool().Input,
		})
	}
	names := map[string]bool{}
	for _, t := range s.contract.Tools {
		names[t.Name] = true
	}
	for _, o := range all {
		s.tool = o.label
		valid := validName(o.view.Name, "_", schema.MaxName)
		name := methods.Fresh(gotypes.GoName(valid))
		reason := s.changes.of(name).dropped
		if reason == "" {
			reason = o.check(names[valid], valid)
		}
		if reason != "" {
			s.note("cannot adopt the %s: %s; add it to the server that gosdk.Server returns", o.kind, reason)
			continue
		}
		names[valid] = true
		if valid != o.view.Name {
			s.note("the name of the %s is %q, not %q, because names consist of words", o.kind, valid, o.view.Name)
		}
		if err := s.offer(o, name, valid); err != nil {
			return fmt.Errorf("%s %s: %w", o.kind, o.label, err)
		}
	}
	return nil
}

// check returns the reason why a directive cannot describe o, or "".
func (o offering) check(taken bool, name string) string {
	if taken {
		return fmt.Sprintf("the name %q is taken", name)
	}
	if o.kind == "resource template" {
		if _, err := uris.Parse(o.label); err != nil {
			return err.Error()
		}
	}
	for _, m := range rawjson.Parts(rawjson.Get(o.input, "properties")) {
		if !schema.ValidName(m.Name) {
			return fmt.Sprintf("the name %q must consist of lower case words", m.Name)
		}
	}
	return ""
}

// offer writes the type of the variables or arguments of o, and its method.
func (s *source) offer(o offering, method, name string) error {
	s.methods, s.bare = append(s.methods, method), 0
	s.offered[method], s.offered[method+"Input"] = method, method
	s.noteMissing(*o.view)
	s.types.Defaults, s.types.Exact, s.types.Nulls = true, false, false
	var in *jen.Statement
	if len(rawjson.Parts(rawjson.Get(o.input, "properties"))) > 0 {
		var err error
		if in, err = s.types.Value(method+"Input", "holds the "+map[bool]string{true: "arguments", false: "variables"}[o.kind == "prompt"]+" of "+name+".", o.input); err != nil {
			return err
		}
	}
	s.types.Defaults = false
	s.types.Flush(s.file)
	doc, words := s.doc(method, o.view.Description)
	s.file.Add(gofile.Comment(doc...))
	directive := "//jp:resource name=" + name + o.directive
	if o.kind == "prompt" {
		directive = "//jp:prompt name=" + name
	}
	if o.view.Title != "" {
		directive += " title=" + strconv.Quote(o.view.Title)
	}
	if o.view.Icon != "" {
		directive += " icon=" + strconv.Quote(o.view.Icon)
	}
	s.file.Comment(directive + words)
	fails := o.view.Fails
	if !s.whole {
		fails = []string{string(fault.Unavailable)}
	}
	if len(fails) > 0 {
		s.file.Comment("//jp:fails " + strings.Join(fails, " "))
	}
	if o.view.Description == "" {
		s.note("the %s has no description; describe it, and delete its //jp:allow line", o.kind)
	}
	if allow := s.changes.of(method).allowLine(o.view.Description == ""); allow != "" {
		s.file.Comment(allow)
	}
	out := jen.String()
	if o.binary {
		out = jen.Index().Byte()
	}
	s.unimplemented(method, name, in, out)
	if s.bare > 0 {
		s.note("descriptions are missing for its variables or arguments; write what they are, and delete the //jp:allow lines")
	}
	return nil
}

// quoted returns a value for a directive, in quotes if it needs them.
func quoted(value string) string {
	if strings.ContainsAny(value, " \"\\\t") {
		return strconv.Quote(value)
	}
	return value
}

// isText reports whether content of a MIME type is text, as far as the type tells.
func isText(mime string) bool {
	base, _, _ := strings.Cut(mime, ";")
	return base == "" || strings.HasPrefix(base, "text/") || base == "application/json" || strings.HasSuffix(base, "+json") ||
		strings.HasSuffix(base, "+xml") || base == "application/xml"
}
