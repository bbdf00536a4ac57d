package model

import (
	"fmt"
	"go/types"
	"mime"
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// URIName returns the name of the generated function that returns the URI of the resource that a method reads.
func URIName(method string) string { return method + "URI" }

// HasURI reports whether the generated code has a function that returns the URI of t.
func (t *Tool) HasURI() bool { return t.Kind == Resource }

// resourceLine reads the arguments of //jp:resource that tools do not have.
func (b *builder) resourceLine(t *Tool, line directive.Directive) {
	if t.Kind != Resource {
		return // ttl of //jp:tool is about tasks
	}
	for _, a := range line.Args {
		switch a.Name {
		case "uri":
			b.uri(t, a)
		case "mime":
			t.MIMEType = b.mimeType(a)
		case "ttl":
			t.TTL = b.ttl(a)
		}
	}
}

// uri reads the URI or the template of a resource.
func (b *builder) uri(t *Tool, a directive.Arg) {
	parsed, err := uris.Parse(a.Value)
	wrong := func(why, hint string) {
		b.list.Add(a.ValuePos, diag.BadURI, "the URI %q %s", phrase.Clip(a.Value, 60), why).Suggest("%s", hint)
	}
	scheme, rest, ok := strings.Cut(a.Value, ":")
	if !ok {
		scheme, rest = "", a.Value
	}
	literals := variable().ReplaceAllString(rest, "")
	switch {
	case len(a.Value) > uris.MaxLength:
		wrong(fmt.Sprintf("is longer than %d bytes", uris.MaxLength), "shorten it")
	case err != nil:
		b.list.Add(a.ValuePos, diag.BadURI, "%v", err).
			Suggest("write a URI template of RFC 6570 without modifiers, such as note://{id}")
	case !uriScheme().MatchString(scheme):
		wrong("does not start with a scheme in lower case", "start it with one, such as note://"+strings.TrimLeft(rest, "/:"))
	case rest == "":
		wrong("has nothing after its scheme", "write a path, such as "+scheme+"://about")
	case strings.Contains(literals, "#") || strings.Contains(rest, "{#"):
		wrong("has a fragment", "delete the part from # on, because it is not part of the URI of a resource")
	case !uriText().MatchString(literals):
		wrong("has characters that a URI cannot contain", "write them as % and two hexadecimal digits")
	default:
		if t.URI, t.URIPos = a.Value, a.ValuePos; len(parsed.Variables()) > 0 {
			t.Template = parsed
		}
	}
}

func (b *builder) mimeType(a directive.Arg) string {
	if _, _, err := mime.ParseMediaType(a.Value); err != nil || !strings.Contains(a.Value, "/") {
		b.list.Add(a.ValuePos, diag.BadArgument, "invalid MIME type %q", a.Value).
			Suggest("write a type and a subtype, such as text/markdown")
		return ""
	}
	return a.Value
}

// maxTTL is the maximum time for which clients may cache a resource.
const maxTTL = 365 * 24 * time.Hour

func (b *builder) ttl(a directive.Arg) time.Duration {
	d, err := time.ParseDuration(a.Value)
	if err != nil || d <= 0 || d > maxTTL || d%time.Millisecond != 0 {
		b.list.Add(a.ValuePos, diag.BadArgument, "invalid ttl %q", a.Value).
			Suggest("write a duration in whole milliseconds, up to 8760h, such as 30s or 5m")
		return 0
	}
	return d
}

// variables checks that the variables of a template are the fields of the method's arguments.
func (b *builder) variables(t *Tool) {
	if t.URI == "" || len(t.Params) == 0 {
		return // there are findings
	}
	var names []string
	if t.Template != nil {
		names = t.Template.Variables()
	}
	var fields []*schema.Field
	if t.Input != nil {
		fields = t.Input.Fields()
	}
	for _, name := range names {
		if !slices.ContainsFunc(fields, func(f *schema.Field) bool { return f.Name == name }) {
			b.list.Add(t.URIPos, diag.BadVariable, "variable {%s} of resource %s is not a field of its arguments", name, t.Name).
				Suggest("add a field tagged `json:%q` to the struct of arguments of %s", name, t.Method.Name())
		}
	}
	for _, f := range fields {
		if !slices.Contains(names, f.Name) {
			b.list.Add(b.nearestPos(f.Var, t.Method.Pos()), diag.BadVariable, "field %s is not a variable of the URI %s", f.Var.Name(), t.URI).
				Suggest("add {%s} to the URI, or delete the field", f.Name)
		}
	}
	b.scalars(t)
	if t.Input == nil {
		return
	}
	for _, m := range t.Input.Members {
		if m.Embedded != nil {
			b.list.Add(t.Method.Pos(), diag.BadVariable, "the variables of resource %s are in %s, which is embedded as a pointer", t.Name,
				b.spellType(m.Embedded.Type)).Suggest("embed the struct itself")
			return
		}
	}
	if t.Template != nil && !slices.ContainsFunc(t.Input.Fields(), func(f *schema.Field) bool { return isCursor(f.Shape) }) {
		t.Variables = b.encoded(t, schema.Site{Pos: t.Method.Pos(), What: "the variables of " + t.Method.Name(), Name: t.Method.Name() + "Variables"})
	}
}

// The forms of a URI's scheme, of a variable of a template, and of the text outside of variables (RFC 3986).
var (
	uriScheme = lazyregexp.New(`^[a-z][a-z0-9+.-]*$`)
	variable  = lazyregexp.New(`\{[^}]*\}`)
	uriText   = lazyregexp.New(`^([A-Za-z0-9._~:/?#@!$&'()*+,;=[\]-]|%[0-9A-Fa-f]{2})*$`)
)

// distinctURIs reports resources that have the same URI, and templates that match the same URI without one of them
// having more literal characters.
func (b *builder) distinctURIs(s *Server) {
	for i, t := range s.Tools {
		for _, other := range s.Tools[:i] {
			if t.Kind != Resource || other.Kind != Resource || t.URI == "" || other.URI == "" {
				continue
			}
			at := b.list.Place(b.docs.Pos(other.Method))
			switch {
			case t.URI == other.URI:
				b.list.Add(t.URIPos, diag.DuplicateName, "resource %s has the URI of the resource at %s", t.Name, at).
					Suggest("write another URI, or delete one resource")
			case t.Template == nil || other.Template == nil || t.Template.Literals() != other.Template.Literals():
			case overlap(t.URI, other.URI):
				b.list.Add(t.URIPos, diag.AmbiguousURI, "%s and %s, at %s, may match the same URI with equally many literal characters", t.URI, other.URI, at).
					Suggest("add a literal part to one of them, such as a path that starts with %s/", t.Name)
			}
		}
	}
}

// scalars reports fields that a string of a URI or of a prompt cannot represent.
func (b *builder) scalars(t *Tool) {
	if t.Input == nil {
		return
	}
	for _, f := range t.Input.Fields() {
		what := "not a scalar"
		if isCursor(f.Shape) {
			what = "a tool.Cursor"
		}
		if !f.Shape.Scalar() || f.Shape.Kind == schema.Nullable || isCursor(f.Shape) {
			b.list.Add(b.nearestPos(f.Var, t.Method.Pos()), diag.BadVariable, "%s %s of %s %s is %s, but MCP passes it as a string",
				t.argument(), f.Name, t.Kind, t.Name, what).
				Suggest("use a string, a number, a bool, a time or a type with constants")
		}
	}
}

// offered reads the result of a resource or a prompt. It returns false for a result that tools have too.
func (b *builder) offered(t *Tool, v *types.Var) bool {
	value := v.Type()
	wrong := func(hint string) bool {
		b.list.Add(v.Pos(), diag.BadSignature, "%s returns %s, which a %s cannot be", t.Method.Name(), b.spellType(value), t.Kind).
			Suggest("%s", hint)
		return true
	}
	set := func(form Form) bool {
		t.Result.Form, t.Result.Value = form, value
		return true
	}
	if t.Kind == Prompt {
		switch {
		case sdktypes.Is(value, sdktypes.Content, "Messages"):
			return set(Messages)
		case isString(value):
			return set(Text)
		}
		return wrong("return a string or content.Messages")
	}
	list, _ := value.Underlying().(*types.Slice)
	switch {
	case sdktypes.Is(value, sdktypes.Content, "With"), sdktypes.Is(value, sdktypes.Content, "Blocks"), isPage(value):
		return wrong("return a string, []byte, content.Resource, []content.Resource, fs.FS, or a Go type, which becomes JSON")
	case sdktypes.Is(value, sdktypes.Content, "Resource"):
		return set(Content)
	case list != nil && sdktypes.Is(list.Elem(), sdktypes.Content, "Resource"):
		return set(Contents)
	case list != nil && types.Identical(list.Elem(), types.Typ[types.Byte]) && !sdktypes.Is(value, "encoding/json", "RawMessage"):
		return set(Bytes)
	case sdktypes.Is(sdktypes.Deref(value), sdktypes.Access, "FS"), isFS(value):
		b.checkDirectory(t)
		return set(Directory)
	}
	return false
}

// isFS reports whether t has the method of fs.FS.
func isFS(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "Open")
	open, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	sig := open.Signature()
	return sig.Params().Len() == 1 && sig.Results().Len() == 2 && types.Identical(sig.Params().At(0).Type(), types.Typ[types.String]) &&
		sdktypes.Is(sig.Results().At(0).Type(), "io/fs", "File")
}

// checkDirectory reports a directory whose URI does not have exactly one variable for the path.
func (b *builder) checkDirectory(t *Tool) {
	if t.URI == "" {
		return // there is a finding
	}
	if t.Template == nil || len(t.Template.Variables()) != 1 || !strings.Contains(t.URI, "{+path}") {
		b.list.Add(t.URIPos, diag.BadURI, "resource %s is a directory, but its URI %s does not have a single variable {+path}", t.Name, t.URI).
			Suggest("write a URI such as docs://{+path}, and a field Path string `json:\"path\"` in the arguments")
	}
}

// resource returns the contract of a resource. c is the contract that it would have as a tool.
func (t *Tool) resource(c manifest.Tool) manifest.Resource {
	r := manifest.Resource{
		Name: c.Name, Title: c.Title, Description: c.Description, MIMEType: t.mime(), Icon: c.Icon, Meta: c.Meta,
		Toolset: c.Toolset, Scopes: c.Scopes,
		TTL: int(t.TTL / time.Millisecond), Directory: t.Result.Form == Directory, Completes: t.completes(),
		Files: c.Files, Questions: c.Questions, Options: c.Options, Shared: c.Shared, Fails: c.Fails,
	}
	if t.Template == nil {
		r.URI = t.URI
	} else {
		r.URITemplate, r.Input = t.URI, c.Input
	}
	for _, p := range t.Parts {
		r.Lists = r.Lists || p.Part == List
		r.Watches = r.Watches || p.Part == Watch
	}
	return r
}

// mime returns the declared MIME type, or the type of JSON.
func (t *Tool) mime() string {
	switch t.Result.Form {
	case Structured, Pointer, Object, Wrapped:
		if t.MIMEType == "" {
			return "application/json"
		}
	}
	return t.MIMEType
}

// prompt returns the contract of a prompt. c is the contract that it would have as a tool.
func (t *Tool) prompt(c manifest.Tool) manifest.Prompt {
	p := manifest.Prompt{
		Name: c.Name, Title: c.Title, Description: c.Description, Icon: c.Icon, Meta: c.Meta, Completes: t.completes(),
		Toolset: c.Toolset, Scopes: c.Scopes,
		Files: c.Files, Questions: c.Questions, Options: c.Options, Shared: c.Shared, Fails: c.Fails,
	}
	if t.Input != nil {
		p.Input = c.Input
	}
	return p
}

// completes returns the names of the fields whose values are completed, sorted: those with a method, and those with
// known values.
func (t *Tool) completes() (names []string) {
	for _, p := range t.Parts {
		if p.Part == Complete {
			names = append(names, p.Argument)
		}
	}
	if t.Input != nil {
		for _, f := range t.Input.Fields() {
			if base := f.Shape.Base(); base.Kind == schema.Bool || len(base.Values) > 0 {
				names = append(names, f.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
