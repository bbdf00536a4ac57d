package model

import (
	"cmp"
	"fmt"
	"go/types"
	"strconv"
	"strings"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// maxFullName is the maximum length of the names of a server and a tool together. Clients join the two names,
// and some keep only 60 characters.
const maxFullName = 55

// tool reads the line of a tool, a resource or a prompt and the signature of its method.
func (b *builder) tool(s *Server, p toolset, m *types.Func, line directive.Directive) *Tool {
	t := &Tool{Kind: Kind(line.Name), Tool: manifest.Tool{Name: schema.Snake(m.Name())}, Method: m, Of: p.named.Obj(), Path: p.path, Pos: b.docs.Pos(m)}
	for _, a := range line.Args {
		switch a.Name {
		case "name":
			t.Name, t.Pos = a.Value, a.ValuePos
		case "description", "rows", "schema", "uri", "mime", "ttl", "task", "after", "poll":
		case "timeout":
			t.Timeout = b.timeout(a)
		case "budget":
			t.Budget = b.number(a, minBudget, maxBudget, "bytes from %d to %d; a token is about 4 bytes")
		case "icon":
			t.Icon = b.icon(a)
		case "scopes":
			t.Scopes = b.scopeList(a)
		case "toolset":
			t.Toolset = a.Value
			b.checkToolset(s, a)
		default:
			b.setField(&t.Tool, a)
		}
	}
	if t.Kind == Callable {
		t.Task = b.task(line)
	}
	t.Name = p.prefix + t.Name
	b.toolName(s, t)
	if a := t.Annotations; isTrue(a.ReadOnly) && isTrue(a.Destructive) {
		arg, _ := line.Get("destructive")
		b.list.Add(arg.Pos, diag.BadArgument, "a tool cannot be both read-only and destructive").Suggest("delete one")
	}
	about := map[Kind]string{Resource: "what it contains", Prompt: "what it is for"}
	t.Description = b.describe(m, b.docs.Pos(m), string(t.Kind)+" "+t.Name, cmp.Or(about[t.Kind], "what it does and when to use it"), descriptionOf(line))
	b.resourceLine(t, line)
	in := b.in
	arg, _ := line.Get("schema")
	if t.Closed = arg.Value == "closed"; arg.Value == "exact" {
		b.in = b.exact
	}
	b.signature(s, t)
	b.in = in
	switch t.Kind {
	case Resource:
		b.variables(t)
	case Prompt:
		b.scalars(t)
	}
	b.bindFieldArgument(t)
	if arg.Value == "exact" {
		b.readExact(s, t, strings.TrimPrefix(t.Name, p.prefix)+SchemaSuffix, arg.Pos)
	}
	b.mutates(t, line)
	if t.Kind == Callable {
		b.paging(t)
	}
	b.rows(t, line)
	t.Files = b.takesFiles(t)
	return t
}

// takesFiles reports whether a method works with files.
func (b *builder) takesFiles(t *Tool) bool {
	if t.Method.Pkg() == b.pkg.Types {
		return b.usesFiles(t.Method, map[*types.Func]bool{})
	}
	return t.Takes(Call) && b.mentionsFiles(t.Method)
}

// setField sets a hint or another field of a tool to the value of an argument.
func (b *builder) setField(t *manifest.Tool, a directive.Arg) {
	for _, h := range manifest.Hints {
		if h.Key == a.Name {
			*h.At(&t.Annotations) = new(a.Value == "true")
			return
		}
	}
	if f, ok := manifest.FieldOf(a.Name); ok && !f.Set(t.Entry(), a.Value) {
		b.list.Add(a.ValuePos, diag.BadArgument, "invalid %s %q", a.Name, a.Value).Suggest("write a number")
	}
}

// maxTimeout is the maximum timeout for a tool. A longer one is likely to be a mistake.
const maxTimeout = 24 * time.Hour

func (b *builder) timeout(a directive.Arg) time.Duration {
	d, err := time.ParseDuration(a.Value)
	if err != nil || d <= 0 || d > maxTimeout {
		b.list.Add(a.ValuePos, diag.BadArgument, "invalid timeout %q", a.Value).
			Suggest("write a duration up to 24h, such as 30s or 2m")
		return 0
	}
	return d
}

// Limits of a budget. A smaller budget has no room for an item and the note about omitted items. A larger one
// does not protect a model.
const minBudget, maxBudget = 1000, 1000000

// number parses an argument as a number within bounds. It returns 0 if the argument is invalid.
func (b *builder) number(a directive.Arg, low, high int, unit string) int {
	n, err := strconv.Atoi(a.Value)
	if err != nil || n < low || n > high {
		b.list.Add(a.ValuePos, diag.BadArgument, "invalid %s %q", a.Name, a.Value).Suggest("write a number of "+unit, low, high)
		return 0
	}
	return n
}

func (b *builder) toolName(s *Server, t *Tool) {
	style := b.in.Names
	if !style.ValidTool(t.Name) {
		f := b.list.Add(t.Pos, diag.BadToolName, "invalid %s name %q: must %s", t.Kind, t.Name, style.ToolRule())
		suggestName(f, t.Name)
		if f.Firm = !schema.AnyNames.ValidTool(t.Name); !f.Firm {
			f.Hint += ", or " + schema.Hint(schema.Names.ValidTool, t.Name, diag.BadToolName)
		}
	} else if n := len(s.Name) + len(t.Name); n > maxFullName && style != schema.AnyNames {
		b.list.Add(t.Pos, diag.BadToolName, "server name %s and %s name %s together have %d characters; clients accept at most %d", s.Name, t.Kind, t.Name, n, maxFullName).
			Suggest("shorten one of them, or write //jp:allow %s reason=\"...\" above it", diag.BadToolName)
	}
	for _, other := range s.Tools {
		if other.Name == t.Name {
			f := b.list.Add(t.Pos, diag.DuplicateName, "duplicate %s %s, first declared at %s", t.Kind, t.Name, b.list.Place(b.docs.Pos(other.Method)))
			if f.Suggest("add name= to //jp:%s, or prefix= to //jp:include", t.Kind); other.Kind != t.Kind {
				f.Message = fmt.Sprintf("%s %s has the name of the %s at %s", t.Kind, t.Name, other.Kind, b.list.Place(b.docs.Pos(other.Method)))
			}
			return
		}
	}
}

// suggestName adds a hint with a valid name.
func suggestName(f *diag.Finding, name string) {
	if good := schema.Snake(name); schema.ValidName(good) {
		f.Suggest("write name=%s", good)
		return
	}
	f.Suggest("choose another name with name=")
}

func isTrue(hint *bool) bool { return hint != nil && *hint }

// signature reads the parameters and results of the method.
func (b *builder) signature(s *Server, t *Tool) {
	sig := t.Method.Signature()
	if sig.Params().Len() == 0 || !sdktypes.Is(sig.Params().At(0).Type(), "context", "Context") {
		pos := t.Method.Pos()
		if sig.Params().Len() > 0 {
			pos = sig.Params().At(0).Pos()
		}
		b.list.Add(pos, diag.BadSignature, "the first parameter of %s is not a context", t.Method.Name()).
			Suggest("write ctx context.Context")
		return
	}
	t.Params = []Role{Context}
	for i := 1; i < sig.Params().Len(); i++ {
		b.param(s, t, sig.Params().At(i))
	}
	b.relays(t)
	b.result(s, t, sig.Results())
}

// unasked returns the parameter whose struct is named like a questions struct although it has no question, and the first
// field of that struct. last is the second struct of arguments of a method. field is nil if no parameter is meant.
func unasked(sig *types.Signature, last *types.Var) (ask, field *types.Var) {
	for p := range sig.Params().Variables() {
		st, ok := p.Type().Underlying().(*types.Struct)
		names := strings.ToLower(p.Name())
		if named := sdktypes.Named(p.Type()); named != nil {
			names += " " + strings.ToLower(named.Obj().Name())
		}
		if ok && st.NumFields() > 0 && (strings.Contains(names, "ask") || strings.Contains(names, "question") || p.Name() == "q") {
			return p, st.Field(0)
		}
		if p == last {
			break
		}
	}
	return nil, nil
}

// questionFor returns the question type whose answers have a type.
func questionFor(t types.Type) string {
	basic, ok := t.Underlying().(*types.Basic)
	_, named := types.Unalias(t).(*types.Named)
	switch {
	case ok && basic.Info()&types.IsBoolean != 0:
		return "elicit.Confirm"
	case ok && basic.Info()&types.IsNumeric != 0:
		return "elicit.Number"
	case ok && named:
		return "elicit.Choice"
	case ok:
		return "elicit.Text"
	}
	return "a type of package elicit"
}

func (b *builder) param(s *Server, t *Tool, p *types.Var) {
	role, ok := b.role(t, p)
	if !ok {
		return
	}
	if t.Takes(role) {
		f := b.list.Add(p.Pos(), diag.BadSignature, "%s takes %s twice", t.Method.Name(), role)
		if role == Call {
			f.Suggest("delete one")
		} else if ask, v := unasked(t.Method.Signature(), p); role == Input && v != nil {
			f.Message = fmt.Sprintf("parameter %s of %s has no question: its field %s has type %s", ask.Name(),
				t.Method.Name(), v.Name(), types.TypeString(v.Type(), types.RelativeTo(b.pkg.Types)))
			f.Suggest("use %s to ask the user, or put the field in the struct of arguments", questionFor(v.Type()))
		} else {
			f.Suggest("put all fields in one struct")
		}
		return
	}
	t.Params = append(t.Params, role)
	site := schema.Site{Pos: p.Pos(), What: "parameter " + p.Name(), Name: t.Method.Name() + roles[role].suffix}
	switch role {
	case Input:
		if t.Part == Complete {
			b.completion(t, p)
		} else if t.Input = b.in.Object(p.Type(), site); t.Input != nil {
			b.secrets(t.Input, role, site)
		}
	case Options:
		if t.Options = b.in.Object(p.Type(), site); t.Options != nil {
			b.checkFlat(t.Options, site)
			b.secrets(t.Options, role, site)
			t.Shared = b.sharedOptions(t.Options)
		}
	case Asking:
		if t.Part != "" {
			b.list.Add(p.Pos(), diag.BadSignature, "%s cannot ask questions, because it has //jp:%s", t.Method.Name(), t.Part).
				Suggest("delete the parameter")
			return
		}
		if schema.IsHidden(p.Type(), b.pkg.Types) {
			b.list.Add(p.Pos(), diag.BadSignature, "parameter %s has a type that this package cannot refer to", p.Name()).
				Suggest("use an exported type of a package that this one may import")
			return
		}
		t.Questions = b.questionsOf(t, p)
	}
}

// role returns the purpose of a parameter, which depends on its type.
func (b *builder) role(t *Tool, p *types.Var) (Role, bool) {
	typ := types.Unalias(p.Type())
	of := typ
	ptr, pointer := typ.(*types.Pointer)
	if pointer {
		of = ptr.Elem()
	}
	st, isStruct := of.Underlying().(*types.Struct)
	reject := func(hint, format string, args ...any) (Role, bool) {
		b.list.Add(p.Pos(), diag.BadSignature, format, args...).Suggest("%s", hint)
		return 0, false
	}
	switch call := sdktypes.Is(of, sdktypes.Tool, "Call"); {
	case call && pointer:
		return Call, true
	case call:
		return reject("write *tool.Call", "parameter %s is a tool.Call instead of a pointer to one", p.Name())
	case pointer && isStruct:
		return reject("use the struct itself", "parameter %s is a pointer", p.Name())
	case sdktypes.Is(typ, "context", "Context"):
		return reject("delete one", "%s takes two contexts", t.Method.Name())
	case pointer || !isStruct || sdktypes.Is(typ, "time", "Time"):
		return reject("make it a field of an arguments struct", "parameter %s is not a struct or *tool.Call", p.Name())
	case sdktypes.Name(typ, sdktypes.Elicit) != "":
		return reject("make it a field of a questions struct", "parameter %s is a single question", p.Name())
	}
	for f := range st.Fields() {
		if sdktypes.Name(f.Type(), sdktypes.Elicit) != "" {
			return Asking, true
		}
	}
	if named := sdktypes.Named(typ); named != nil {
		if _, ok := b.docs.directive(named.Obj(), "options"); ok {
			return Options, true
		}
	}
	return Input, true
}

// roles holds the name of each role in messages, the suffix of the names of its struct literals, and the name of its
// variable.
var roles = [...]struct{ says, suffix, variable string }{
	Context: {"a context", "Context", "ctx"},
	Call:    {"a *tool.Call", "Call", "call"},
	Input:   {"arguments", "Input", "in"},
	Asking:  {"questions", "Questions", "ask"},
	Options: {"options", "Options", "opt"},
}

// String returns the name of a role for use in messages.
func (r Role) String() string { return roles[r].says }

// Variable returns the name of the variable for the role in generated code.
func (r Role) Variable() string { return roles[r].variable }
