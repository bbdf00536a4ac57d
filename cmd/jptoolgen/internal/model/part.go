package model

import (
	"go/types"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/internal/phrase"
)

// partLine reads the line of a method that lists, watches or completes what another method of the toolset serves.
func (b *builder) partLine(s *Server, p toolset, m *types.Func, line directive.Directive) {
	part := Part(line.Name)
	if len(line.Words) == 0 || part == Complete && len(line.Words) != 2 {
		return // package directive reports it
	}
	of := b.servedBy(s, p, part, line.Words[0])
	if of == nil {
		return
	}
	t := &Tool{Kind: of.Kind, Part: part, For: of, Method: m, Of: of.Of, Path: of.Path, Pos: line.Words[0].Pos}
	t.Name = of.Name
	if part == Complete {
		t.Argument = line.Words[1].Value
	}
	if !b.partFits(t, line) {
		return
	}
	for _, other := range of.Parts {
		if other.Part == part && other.Argument == t.Argument {
			b.list.Add(line.Pos, diag.Repeated, "//jp:%s %s is also above %s, at %s", part, words(line), other.Method.Name(),
				b.list.Place(b.docs.Pos(other.Method))).Suggest("delete one")
			return
		}
	}
	if part == Watch {
		b.watch(t)
	} else {
		if b.signature(s, t); t.Part == List && t.Result.Value != nil {
			b.paging(t)
		}
		b.checkPartOptions(t)
	}
	of.Files = of.Files || b.takesFiles(t)
	of.Parts = append(of.Parts, t)
}

func words(line directive.Directive) string {
	var all []string
	for _, w := range line.Words {
		all = append(all, w.Value)
	}
	return strings.Join(all, " ")
}

// servedBy returns the resource or the prompt with the name in a directive. It adds a finding if there is none.
func (b *builder) servedBy(s *Server, p toolset, part Part, name directive.Arg) *Tool {
	var known []string
	what := "resource"
	if part == Complete {
		what = "resource or prompt"
	}
	for _, t := range s.Tools {
		switch {
		case t.Path != p.path:
		case t.Kind == Resource || t.Kind == Prompt && part == Complete:
			if t.Name == p.prefix+name.Value {
				return t
			}
			known = append(known, strings.TrimPrefix(t.Name, p.prefix))
		case t.Name == p.prefix+name.Value:
			b.list.Add(name.Pos, diag.UnknownPart, "%s is a %s, to which //jp:%s does not apply", name.Value, t.Kind, part).
				Suggest("write the name of a %s", what)
			return nil
		}
	}
	f := b.list.Add(name.Pos, diag.UnknownPart, "%s has no %s %s", p.named.Obj().Name(), what, name.Value)
	suggestOne(f, name.Value, known, "declare it with //jp:resource above a method of "+p.named.Obj().Name())
	return nil
}

// suggestOne adds a hint with the name that was probably meant, or else with all names, or else another hint.
func suggestOne(f *diag.Finding, got string, known []string, otherwise string) {
	if near, ok := phrase.Nearest(got, known); ok {
		f.Suggest("did you mean %s?", near)
	} else if len(known) > 0 {
		f.Suggest("write one of %s", strings.Join(known, ", "))
	} else {
		f.Suggest("%s", otherwise)
	}
}

// partFits reports whether a resource or a prompt can have a part. If it cannot, partFits adds a finding.
func (b *builder) partFits(t *Tool, line directive.Directive) bool {
	of := t.For
	switch {
	case t.Part == List && of.Template == nil:
		b.list.Add(line.Pos, diag.UnknownPart, "resource %s has a URI without variables, so there is nothing to list", of.Name).
			Suggest("delete the line; resources/list contains the resource itself")
		return false
	case t.Part == List && of.Result.Form == Directory:
		b.list.Add(line.Pos, diag.UnknownPart, "resource %s is a directory, which lists its own files", of.Name).
			Suggest("delete the line")
		return false
	case t.Part != Complete:
		return true
	}
	if of.Input == nil {
		b.list.Add(line.Words[1].Pos, diag.UnknownPart, "%s %s has nothing to complete", of.Kind, of.Name).
			Suggest("delete the line")
		return false
	}
	var known []string
	for _, f := range of.Input.Fields() {
		known = append(known, f.Name)
		if f.Name == t.Argument {
			return true
		}
	}
	f := b.list.Add(line.Words[1].Pos, diag.UnknownPart, "%s %s has no %s %s", of.Kind, of.Name, of.argument(), t.Argument)
	suggestOne(f, t.Argument, known, "delete the line")
	return false
}

// argument returns what the fields of the method's input are called.
func (t *Tool) argument() string {
	if t.Kind == Resource {
		return "variable"
	}
	return "argument"
}

// checkPartOptions reports options that differ from those of the resource or the prompt, because the user sets them
// for the whole of it.
func (b *builder) checkPartOptions(t *Tool) {
	switch of := t.For; {
	case t.Options == nil:
	case of.Options == nil:
		b.list.Add(t.Method.Pos(), diag.BadSignature, "%s takes options, but %s does not", t.Method.Name(), of.Method.Name()).
			Suggest("add the options to %s, or delete them here", of.Method.Name())
	case !types.Identical(of.Options.Type, t.Options.Type):
		b.list.Add(t.Method.Pos(), diag.BadSignature, "%s and %s take different options", t.Method.Name(), of.Method.Name()).
			Suggest("use the options of %s", of.Method.Name())
	}
}

// spellType returns a type as the author of the package writes it.
func (b *builder) spellType(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == b.pkg.Types {
			return ""
		}
		return p.Name()
	})
}

// variablesType returns the type that the values of the resource's variables have: the type of the arguments, or
// struct{} for a URI without variables.
func (t *Tool) variablesType() types.Type {
	if t.Input == nil {
		return types.NewStruct(nil, nil)
	}
	return t.Input.Type
}

// isOf reports whether t is the type tool.NAME[In], where In is the type of the arguments or variables of a method.
func isOf(t types.Type, name string, in types.Type) bool {
	if !sdktypes.Is(t, sdktypes.Tool, name) {
		return false
	}
	return types.Identical(types.Unalias(t).(*types.Named).TypeArgs().At(0), in)
}

// completion reads the parameter of a method that completes values.
func (b *builder) completion(t *Tool, p *types.Var) {
	in := t.For.variablesType()
	if !isOf(p.Type(), "Completion", in) {
		b.list.Add(p.Pos(), diag.BadSignature, "parameter %s of %s has type %s", p.Name(), t.Method.Name(), b.spellType(p.Type())).
			Suggest("write tool.Completion[%s], with the %ss of %s", b.spellType(in), t.For.argument(), t.For.Method.Name())
		return
	}
	t.Input, t.Request = t.For.Input, p.Type()
}

// partResult reads what a method returns that lists or completes.
func (b *builder) partResult(t *Tool, v *types.Var) {
	in := t.For.variablesType()
	want := "([]string, error) or (tool.Completions, error)"
	switch value := v.Type(); {
	case t.Part == List:
		item := types.Type(nil)
		if sdktypes.Is(value, sdktypes.Tool, "Page") {
			item = types.Unalias(value).(*types.Named).TypeArgs().At(0)
		}
		if item != nil && isOf(item, "Listed", in) {
			t.Result.Form, t.Result.Value = Listing, value
			return
		}
		want = "(tool.Page[tool.Listed[" + b.spellType(in) + "]], error)"
	case sdktypes.Is(value, sdktypes.Tool, "Completions"):
		t.Result.Form, t.Result.Value = Completions, value
		return
	default:
		if list, ok := value.Underlying().(*types.Slice); ok && isString(list.Elem()) {
			t.Result.Form, t.Result.Value = Values, value
			return
		}
	}
	b.list.Add(v.Pos(), diag.BadSignature, "%s returns %s", t.Method.Name(), b.spellType(v.Type())).
		Suggest("return %s", want)
}

func isString(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.String
}

// watch reads the signature of a method that reports changes.
func (b *builder) watch(t *Tool) {
	sig := t.Method.Signature()
	change := "tool.Change[" + b.spellType(t.For.variablesType()) + "]"
	wrong := func(format string, args ...any) {
		b.list.Add(t.Method.Pos(), diag.BadSignature, format, args...).
			Suggest("write %s(ctx context.Context) iter.Seq[%s], or <-chan %[2]s, and if needed an error", t.Method.Name(), change)
	}
	if sig.Params().Len() != 1 || !sdktypes.Is(sig.Params().At(0).Type(), "context", "Context") {
		wrong("%s takes other parameters than a context", t.Method.Name())
		return
	}
	n := sig.Results().Len()
	t.Fallible = n == 2 && types.TypeString(sig.Results().At(1).Type(), nil) == "error"
	if n != 1 && !t.Fallible {
		wrong("%s must return changes, or changes and an error", t.Method.Name())
		return
	}
	value := sig.Results().At(0).Type()
	var item types.Type
	if ch, ok := value.Underlying().(*types.Chan); ok && ch.Dir() != types.SendOnly {
		item, t.Channel = ch.Elem(), true
	} else if sdktypes.Is(value, "iter", "Seq") {
		item = types.Unalias(value).(*types.Named).TypeArgs().At(0)
	}
	if item == nil || !isOf(item, "Change", t.For.variablesType()) {
		wrong("%s returns %s", t.Method.Name(), b.spellType(value))
		return
	}
	t.Params, t.Request = []Role{Context}, item
	t.Result = Result{Type: value, Value: value}
}

// encoded returns the fields of the variables as they are encoded in a URI, or nil for a URI without variables.
func (b *builder) encoded(t *Tool, site schema.Site) *schema.Object {
	shape := b.out.Shape(t.Input.Type, site)
	if shape == nil {
		return nil
	}
	return shape.Object
}
