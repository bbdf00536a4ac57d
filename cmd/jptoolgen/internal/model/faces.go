package model

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// toolsetName matches the names of toolsets, which are part of URLs and headers.
var toolsetName = lazyregexp.New(`^[a-z][a-z0-9_-]{0,39}$`)

// reservedToolsets are words that users write in place of the name of a toolset, or behind it in a URL.
var reservedToolsets = []string{"all", "default", "readonly"}

// declareToolsets reads the //jp:toolset lines of the server.
func (b *builder) declareToolsets(s *Server, t *types.TypeName) {
	n, _ := b.docs.find(t)
	s.toolsets = map[string]token.Pos{}
	for _, line := range n.directives {
		if line.Name != "toolset" || len(line.Words) != 1 {
			continue
		}
		name := line.Words[0]
		text, _ := line.Get("text")
		byDefault, _ := line.Get("default")
		switch same := func(set manifest.Toolset) bool { return set.Name == name.Value }; {
		case slices.Contains(reservedToolsets, name.Value):
			b.list.Add(name.Pos, diag.BadArgument, "the toolset name %q is reserved", name.Value).Suggest("use another name")
		case !toolsetName().MatchString(name.Value):
			b.list.Add(name.Pos, diag.BadArgument, "invalid toolset name %q: must match [a-z][a-z0-9_-]* and be at most 40 characters",
				name.Value).Suggest("use another name, such as issues")
		case slices.ContainsFunc(s.Toolsets, same):
			b.list.Add(name.Pos, diag.Repeated, "toolset %s is declared twice", name.Value).Suggest("delete one")
		}
		schema.CheckLength(b.list, text.ValuePos, "toolset "+name.Value, text.Value)
		s.toolsets[name.Value] = name.Pos
		s.Toolsets = append(s.Toolsets, manifest.Toolset{Name: name.Value, Description: text.Value, Default: byDefault.Value == "true"})
	}
	slices.SortFunc(s.Toolsets, func(x, y manifest.Toolset) int { return strings.Compare(x.Name, y.Name) })
}

// declareScopes reads the //jp:scope lines of the server.
func (b *builder) declareScopes(s *Server, t *types.TypeName) {
	n, _ := b.docs.find(t)
	for _, line := range n.directives {
		if line.Name != "scope" || len(line.Words) != 1 {
			continue
		}
		name := line.Words[0]
		implies, _ := line.Get("implies")
		all := b.scopeList(implies)
		switch same := func(scope manifest.Scope) bool { return scope.Name == name.Value }; {
		case !validScope(name.Value):
			b.badScope(name)
		case slices.Contains(all, name.Value):
			b.list.Add(implies.ValuePos, diag.BadArgument, "scope %s implies itself", name.Value).Suggest("delete it")
		case slices.ContainsFunc(s.Scopes, same):
			b.list.Add(name.Pos, diag.Repeated, "scope %s is declared twice", name.Value).Suggest("write all that it implies on one line")
		}
		s.Scopes = append(s.Scopes, manifest.Scope{Name: name.Value, Implies: all})
	}
	slices.SortFunc(s.Scopes, func(x, y manifest.Scope) int { return strings.Compare(x.Name, y.Name) })
}

// idleToolsets reports the toolsets to which nothing belongs.
func (b *builder) idleToolsets(s *Server) {
	for _, t := range s.Tools {
		delete(s.toolsets, t.Toolset)
	}
	for name, pos := range s.toolsets {
		b.list.Add(pos, diag.BadArgument, "nothing belongs to the toolset %s", name).
			Suggest("write toolset=%s on the lines of its tools, or delete the line", name)
	}
}

// checkToolset reports an argument that names a toolset that the server does not declare.
func (b *builder) checkToolset(s *Server, a directive.Arg) {
	var names []string
	for _, set := range s.Toolsets {
		names = append(names, set.Name)
	}
	if a.Value == "" || slices.Contains(names, a.Value) {
		return
	}
	f := b.list.Add(a.ValuePos, diag.BadArgument, "server %s does not declare the toolset %q", s.Type.Name(), a.Value)
	if near, ok := phrase.Nearest(a.Value, names); ok {
		f.Suggest("did you mean %s?", near)
		return
	}
	f.Suggest("write //jp:toolset %s text=\"...\" above %s", a.Value, s.Type.Name())
}

// scopeList returns the sorted scopes in an argument, which spaces or commas separate.
func (b *builder) scopeList(a directive.Arg) (all []string) {
	split := func(r rune) bool { return r == ' ' || r == ',' }
	for scope := range strings.FieldsFuncSeq(a.Value, split) {
		switch {
		case !validScope(scope):
			b.badScope(directive.Arg{Value: scope, Pos: a.ValuePos})
		case slices.Contains(all, scope):
			b.list.Add(a.ValuePos, diag.Repeated, "the scope %s occurs twice", scope).Suggest("delete one")
		default:
			all = append(all, scope)
		}
	}
	if a.Value != "" && len(all) == 0 {
		b.badScope(directive.Arg{Value: a.Value, Pos: a.ValuePos})
	}
	slices.Sort(all)
	return all
}

func (b *builder) badScope(a directive.Arg) {
	b.list.Add(a.Pos, diag.BadArgument, "invalid scope %q: must consist of visible ASCII characters other than \" and \\", a.Value).
		Suggest("write a scope such as notes:write")
}

// validScope reports whether OAuth permits a scope (RFC 6749, section 3.3).
func validScope(scope string) bool {
	for _, r := range scope {
		if r <= ' ' || r > '~' || r == '"' || r == '\\' {
			return false
		}
	}
	return scope != ""
}
