// Package directive parses //jp: directives.
package directive

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/phrase"
)

// A Directive is a //jp: line that is well-formed according to the [Table].
type Directive struct {
	Name string
	// Pos is the start of the line, and End is its end.
	Pos, End token.Pos
	// Args are the arguments in source order.
	Args []Arg
	// Words are the arguments without a name.
	Words []Arg
	// Behind is set by [Read] if the line has code before the directive.
	Behind bool
}

// An Arg is an argument of a directive.
type Arg struct {
	// Name is "" for an argument without a name.
	Name, Value string
	// Pos is the position of the name, and ValuePos is the position of the value.
	Pos, ValuePos token.Pos
}

// Get returns the argument with the given name.
func (d Directive) Get(name string) (Arg, bool) {
	return first(d.Args, func(a Arg) bool { return a.Name == name })
}

// first returns the first element for which match returns true.
func first[T any](all []T, match func(T) bool) (found T, ok bool) {
	if i := slices.IndexFunc(all, match); i >= 0 {
		return all[i], true
	}
	return found, false
}

// Parse returns the directive in a comment. It adds findings to list. It returns false for comments that are not
// //jp: lines, and for directives that cannot be parsed.
func Parse(c *ast.Comment, list *diag.List) (d Directive, ok bool) {
	line, ok := ast.ParseDirective(c.Slash, c.Text)
	if !ok || line.Tool != "jp" {
		checkNearMiss(c, list)
		return Directive{}, false
	}
	spec, ok := find(line.Name)
	if !ok {
		f := list.Add(c.Slash+token.Pos(len("//jp:")), diag.UnknownDirective, "unknown directive //jp:%s", line.Name)
		suggest(f, "//jp:", line.Name, names())
		return Directive{}, false
	}
	args, ok := scan(line, list)
	if !ok {
		return Directive{}, false
	}
	d = Directive{Name: spec.Name, Pos: line.Slash, End: c.End()}
	for _, a := range args {
		d.take(spec, a, list)
	}
	for _, a := range spec.Args {
		if _, given := d.Get(a.Name); a.Required && !given {
			f := list.Add(line.Slash, diag.MissingArgument, "//jp:%s requires %s", spec.Name, a.Name)
			if len(a.Values) > 0 {
				f.Suggest("add %s=%s", a.Name, strings.Join(a.Values, "|"))
			} else {
				f.Suggest("add %s=, the %s", a.Name, a.Help)
			}
		}
	}
	if spec.Any && len(d.Args) == 0 {
		list.Add(line.Slash, diag.MissingArgument, "//jp:%s is empty", spec.Name).Suggest("add at least one KEY=value")
	}
	if n := len(d.Words); spec.Count > 0 && n != spec.Count {
		list.Add(line.Slash, diag.MissingArgument, "//jp:%s has %s instead of %d", spec.Name, phrase.Plural(n, "word"), spec.Count).
			Suggest("write the %s", spec.Words)
	} else if spec.Words != "" && n == 0 {
		list.Add(line.Slash, diag.MissingArgument, "//jp:%s is empty", spec.Name).Suggest("add at least one %s", spec.Words)
	}
	return d, true
}

// take adds an argument to d if it is known, not repeated, and has a valid value.
func (d *Directive) take(spec Spec, a Arg, list *diag.List) {
	arg, known := spec.arg(a.Name)
	before, twice := d.Get(a.Name)
	switch {
	case a.Name == "":
		d.takeWord(spec, a, list)
	case !known && !spec.Any:
		f := list.Add(a.Pos, diag.UnknownArgument, "unknown argument %s in //jp:%s", a.Name, spec.Name)
		suggest(f, "", a.Name, spec.argNames())
	case twice:
		list.Add(a.Pos, diag.Repeated, "//jp:%s has %s twice, first as %s", spec.Name, a.Name, before.Value).
			Suggest("delete one")
	case a.Value == "":
		list.Add(a.ValuePos, diag.BadArgument, "%s has no value", a.Name).Suggest("write %s=value, or delete it", a.Name)
	case len(arg.Values) > 0 && !slices.Contains(arg.Values, a.Value):
		f := list.Add(a.ValuePos, diag.BadArgument, "invalid %s %s", a.Name, strconv.Quote(a.Value))
		suggest(f, "", a.Value, arg.Values)
	default:
		d.Args = append(d.Args, a)
	}
}

// takeWord is like take, but for an argument without a name.
func (d *Directive) takeWord(spec Spec, a Arg, list *diag.List) {
	switch {
	case spec.Words == "":
		f := list.Add(a.Pos, diag.BadArgument, "unexpected word %s in //jp:%s", strconv.Quote(a.Value), spec.Name)
		if arg, _ := spec.arg(a.Value); len(arg.Values) > 0 {
			f.Suggest("write %s=%s", a.Value, arg.Values[0])
		} else if last := d.lastText(spec); last != "" {
			f.Suggest("if it belongs to %s, quote the whole value: %[1]s=\"…\"", last)
		} else if len(spec.Args) > 0 {
			f.Suggest("write NAME=VALUE with one of these names: %s", strings.Join(spec.argNames(), ", "))
		} else {
			f.Suggest("delete it")
		}
	case strings.HasSuffix(a.Value, ","):
		list.Add(a.Pos, diag.BadArgument, "//jp:%s has a comma after %s", spec.Name, strings.TrimSuffix(a.Value, ",")).
			Suggest("separate words with spaces only")
	case spec.Count == 0 && slices.ContainsFunc(d.Words, func(w Arg) bool { return w.Value == a.Value }):
		list.Add(a.Pos, diag.Repeated, "//jp:%s lists %s twice", spec.Name, a.Value).Suggest("delete one")
	default:
		d.Words = append(d.Words, a)
	}
}

// lastText returns the name of the last argument if its value may be any text, and "" otherwise.
func (d *Directive) lastText(spec Spec) string {
	if len(d.Args) == 0 {
		return ""
	}
	last := d.Args[len(d.Args)-1].Name
	if arg, _ := spec.arg(last); len(arg.Values) > 0 {
		return ""
	}
	return last
}

// suggest adds a hint with the name that was probably meant, or else with all names.
func suggest(f *diag.Finding, prefix, got string, among []string) {
	if near, ok := phrase.Nearest(got, among); ok {
		f.Suggest("did you mean %s%s?", prefix, near)
	} else if len(among) > 0 {
		f.Suggest("write one of %s%s", prefix, strings.Join(among, ", "+prefix))
	} else {
		f.Suggest("delete it")
	}
}

// An Allowance is one code of a //jp:allow line. A //jp:allow at the end of a line of code applies to that line. Any
// other //jp:allow applies to the line below.
type Allowance struct {
	Pos  token.Pos
	Code diag.Code

	at token.Position
}

// Allowances returns the codes of d, which must be a //jp:allow line.
func (d Directive) Allowances(fset *token.FileSet) []Allowance {
	at := fset.Position(d.Pos)
	if !d.Behind {
		at.Line++
	}
	var all []Allowance
	for _, w := range d.Words {
		all = append(all, Allowance{w.Pos, diag.Code(w.Value), at})
	}
	return all
}

// Allows reports whether a applies to a finding.
func (a Allowance) Allows(code diag.Code, pos token.Position) bool {
	return a.Code == code && a.at.Filename == pos.Filename && a.at.Line == pos.Line
}
