package jpvet

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// A part is a part of a parameter: a field, a field of that field, and so on. Without a path, it is the whole
// parameter.
type part struct {
	Param int
	Path  []int
}

// partOf returns the part of a parameter of f that e represents. Its index is -1 if e is not part of a parameter.
func partOf(f *ssa.Function, e traced) part {
	param, _ := e.value.(*ssa.Parameter)
	return part{slices.Index(f.Params, param), e.path}
}

func (a part) is(b part) bool { return a.Param == b.Param && slices.Equal(a.Path, b.Path) }

// in returns the value that a call passes for the part. It is empty if the call has fewer arguments.
func (a part) in(c *ssa.CallCommon) traced {
	if a.Param >= len(c.Args) {
		return traced{}
	}
	return traced{value: c.Args[a.Param], path: a.Path}
}

// A use is the use of a part of a parameter as a path, a program, the host of a request, or the name of an
// environment variable.
type use struct {
	Part part
	As   purpose
	// By is the function that receives the part.
	By  string
	pos token.Pos // 0 if the use is in another package
}

// A purpose is a use of a string, such as a path or a host.
type purpose int

const (
	asPath purpose = iota + 1
	asProgram
	asHost
	asVariable
)

// purposes maps standard library functions to the arguments that have a purpose.
var purposes = sync.OnceValue(func() map[string]place {
	all := map[string]place{}
	for _, one := range []struct {
		prefix, names string
		place
	}{
		{"os.", "Chdir Chmod Chown Chtimes Create CreateTemp DirFS Lstat Mkdir MkdirAll MkdirTemp Open OpenFile OpenRoot ReadDir ReadFile " +
			"Readlink Remove RemoveAll Stat Truncate WriteFile CopyFS", place{asPath, []int{0}}},
		{"os.", "Link Rename Symlink", place{asPath, []int{0, 1}}},
		{"io/ioutil.", "ReadDir ReadFile WriteFile", place{asPath, []int{0}}},
		{"path/filepath.", "EvalSymlinks Glob Walk WalkDir", place{asPath, []int{0}}},
		{"syscall.", "Creat Mkdir Open Rmdir Unlink", place{asPath, []int{0}}},
		{"os/exec.", "Command", place{asProgram, []int{0}}},
		{"os/exec.", "CommandContext", place{asProgram, []int{1}}},
		{"os.", "StartProcess", place{asProgram, []int{0}}},
		{"syscall.", "Exec ForkExec", place{asProgram, []int{0}}},
		{"net/http.", "Get Head Post PostForm", place{asHost, []int{0}}},
		{"(*net/http.Client).", "Get Head Post PostForm", place{asHost, []int{1}}},
		{"net/http.", "NewRequest", place{asHost, []int{1}}},
		{"net/http.", "NewRequestWithContext", place{asHost, []int{2}}},
		{"net.", "Dial DialTimeout", place{asHost, []int{1}}},
		{"crypto/tls.", "Dial", place{asHost, []int{1}}},
		{"(*net.Dialer).", "Dial", place{asHost, []int{2}}},
		{"(*net.Dialer).", "DialContext", place{asHost, []int{3}}},
		{"os.", "Getenv LookupEnv", place{asVariable, []int{0}}},
	} {
		for _, name := range strings.Fields(one.names) {
			all[one.prefix+name] = one.place
		}
	}
	return all
})

// A place lists the arguments of a function that have a purpose.
type place struct {
	as   purpose
	args []int
}

// shells maps programs that run a script to the arguments that precede the script.
var shells = map[string]string{
	"sh": "-c", "bash": "-c", "dash": "-c", "zsh": "-c", "ksh": "-c", "cmd": "/c", "cmd.exe": "/c", "powershell": "-command", "pwsh": "-command",
}

// uses returns the parts of parameters that f uses as paths, programs, hosts or names of environment variables.
func (p *program) uses(f *ssa.Function) []use {
	var all []use
	p.eachUse(f, func(leaf traced, u use) {
		u.Part = partOf(f, leaf)
		known := slices.ContainsFunc(all, func(o use) bool { return o.Part.is(u.Part) && o.As == u.As && o.pos == u.pos })
		if u.Part.Param >= 0 && !known {
			all = append(all, u)
		}
	})
	return all
}

// eachUse calls found with each part of a parameter or an answer that f uses without a check. A value is used if it
// serves as a path, a program, a host or the name of an environment variable.
func (p *program) eachUse(f *ssa.Function, found func(leaf traced, u use)) {
	for instr := range each[ssa.Instruction](f) {
		report := func(e traced, as purpose, by string, pos token.Pos) {
			for _, leaf := range p.parts(e) {
				if !p.isChecked(instr, leaf) {
					found(leaf, use{As: as, By: by, pos: pos})
				}
			}
		}
		switch instr := instr.(type) {
		case ssa.CallInstruction:
			p.eachUseIn(instr, report)
		case *ssa.Store:
			at, ok := instr.Addr.(*ssa.FieldAddr)
			if !ok || !sdktypes.Is(sdktypes.Deref(at.X.Type()), "os/exec", "Cmd") {
				continue
			}
			switch fieldAt(at).Name() {
			case "Path":
				report(traced{value: instr.Val}, asProgram, "exec.Cmd", instr.Pos())
			case "Dir":
				report(traced{value: instr.Val}, asPath, "exec.Cmd", instr.Pos())
			}
		}
	}
}

// eachUseIn calls report with each value that a call uses as a path, a program, a host or the name of an environment
// variable.
func (p *program) eachUseIn(call ssa.CallInstruction, report func(e traced, as purpose, by string, pos token.Pos)) {
	c := call.Common()
	fn, obj := p.callee(c)
	for _, u := range p.behaviorOf(fn, obj).Uses {
		values := []traced{u.Part.in(c)}
		if values[0].value == nil {
			continue
		}
		if u.As == asHost { // only the part up to the end of the host matters: a function may append a path
			values = p.host(values[0])
		}
		for _, e := range values {
			report(e, u.As, u.By, cmp.Or(u.pos, call.Pos()))
		}
	}
	if obj == nil {
		return
	}
	at := purposes()[obj.FullName()]
	for i, arg := range argsAt(c, at.args) {
		values := []traced{{value: arg}}
		switch at.as {
		case asHost:
			values = p.host(values[0])
		case asProgram:
			values = append(values, script(c.Args[at.args[i]:])...)
		}
		for _, e := range values {
			report(e, at.as, short(obj), call.Pos())
		}
	}
}

// script returns the script among the arguments of a command, if the command starts a shell.
func script(args []ssa.Value) (all []traced) {
	program, ok := stringOf(args[0])
	flag := shells[strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])]
	if !ok || flag == "" || len(args) < 2 {
		return nil
	}
	words := functionsIn(args[1])
	at := slices.IndexFunc(words, func(word ssa.Value) bool {
		text, ok := stringOf(word)
		return ok && strings.ToLower(text) == flag
	})
	if at < 0 {
		return nil
	}
	for _, word := range words[at+1:] {
		all = append(all, traced{value: word})
	}
	return all
}

// parts returns the parts of parameters, and of answers to questions, that a string is made of.
func (p *program) parts(e traced) []traced {
	var all []traced
	t := trace{program: p, values: true}
	t.reached = func(_ *trace, e traced) bool {
		switch v := e.value.(type) {
		case *ssa.Parameter:
			all = append(all, e)
		case *ssa.Call:
			if p.questionOf(v) == nil {
				return p.keepsText(&v.Call)
			}
			all = append(all, e)
		}
		return false
	}
	t.follow(e)
	return all
}

// keepsText reports whether the result of a call may contain the text of an argument.
func (p *program) keepsText(c *ssa.CallCommon) bool {
	fn, obj := p.callee(c)
	if fn != nil {
		return true
	}
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	switch obj.Pkg().Path() {
	case "fmt", "strings", "bytes", "net/url", "slices":
		return true
	case "path", "path/filepath":
		return obj.Name() != "Base" && obj.Name() != "Ext"
	}
	return false
}

// isChecked reports whether an instruction runs only after a check of a part of a parameter: by a validating
// function, a table or a comparison.
func (p *program) isChecked(instr ssa.Instruction, leaf traced) bool {
	for b := instr.Block().Idom(); b != nil; b = b.Idom() {
		if branch := branchOf(b); branch != nil && p.dependsOnLeaf(branch.Cond, leaf, 0) {
			return true
		}
	}
	return false
}

// dependsOnLeaf reports whether a condition depends on a part of a parameter.
func (p *program) dependsOnLeaf(cond ssa.Value, leaf traced, depth int) bool {
	if depth > maxDepth {
		return false
	}
	about := func(values ...ssa.Value) bool {
		return slices.ContainsFunc(values, func(v ssa.Value) bool {
			return slices.ContainsFunc(p.parts(traced{value: v}), func(e traced) bool {
				return e.value == leaf.value && (len(e.path) == 0 || slices.Equal(e.path, leaf.path))
			})
		})
	}
	switch v := cond.(type) {
	case *ssa.UnOp:
		return p.dependsOnLeaf(v.X, leaf, depth+1)
	case *ssa.Extract:
		if lookup, ok := v.Tuple.(*ssa.Lookup); ok {
			return about(lookup.Index)
		}
		return p.dependsOnLeaf(v.Tuple, leaf, depth+1)
	case *ssa.Lookup:
		return about(v.Index)
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(edge ssa.Value) bool { return p.dependsOnLeaf(edge, leaf, depth+1) })
	case *ssa.BinOp:
		for _, pair := range [][2]ssa.Value{{v.X, v.Y}, {v.Y, v.X}} {
			if text, ok := stringOf(pair[1]); ok && text != "" && !isScheme(pair[0]) && about(pair[0]) {
				return true
			}
		}
		return p.dependsOnLeaf(v.X, leaf, depth+1) || p.dependsOnLeaf(v.Y, leaf, depth+1)
	case *ssa.Call:
		fn, obj := p.callee(&v.Call)
		if did := p.behaviorOf(fn, obj); len(did.Uses) > 0 || did.Effects[change]+did.Effects[network] != "" {
			return false
		}
		return validates(fn, obj) && about(v.Call.Args...)
	}
	return false
}

// isScheme reports whether v is the scheme of a URL, which does not determine the host.
func isScheme(v ssa.Value) bool {
	field := fieldRead(v)
	return field != nil && field.Name() == "Scheme" && field.Pkg().Path() == "net/url"
}

// validates reports whether a function checks that a string is one of the intended values. A check for a prefix
// or a substring is too weak.
func validates(fn *ssa.Function, obj *types.Func) bool {
	switch {
	case fn != nil:
		return true
	case obj == nil || obj.Pkg() == nil:
		return false
	}
	switch path := obj.Pkg().Path(); path {
	case "os", "strings", "io/fs", "fmt", "net/url", "bytes", "unicode/utf8":
		return false
	case "path/filepath":
		return obj.Name() == "IsLocal" || obj.Name() == "Localize"
	}
	return true
}
