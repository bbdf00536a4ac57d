package model

import (
	"go/types"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
)

// A Kind is what a method serves. It is also the name of the directive.
type Kind string

// The kinds of methods.
const (
	Callable Kind = "tool"
	Resource Kind = "resource"
	Prompt   Kind = "prompt"
)

// Kinds are all kinds.
var Kinds = []Kind{Callable, Resource, Prompt}

// A Part is what a method does for a resource or a prompt that another method serves. It is also the name of the
// directive.
type Part string

// The parts of resources and prompts.
const (
	List     Part = "list"
	Watch    Part = "watch"
	Complete Part = "complete"
)

// Parts are all parts.
var Parts = []Part{List, Watch, Complete}

// Serves are the names of the directives on methods that a server calls.
func Serves() (names []string) {
	for _, k := range Kinds {
		names = append(names, string(k))
	}
	for _, p := range Parts {
		names = append(names, string(p))
	}
	return names
}

// serving returns the directives on a method that a server calls. It reports methods with directives that exclude each
// other.
func (b *builder) serving(m *types.Func) (lines directive.Lines) {
	n, _ := b.docs.find(m)
	for _, line := range n.directives {
		if !slices.Contains(Serves(), line.Name) {
			continue
		}
		if first := append(lines, line)[0]; first.Name != line.Name {
			b.list.Add(line.Pos, diag.Repeated, "%s has both //jp:%s and //jp:%s", m.Name(), first.Name, line.Name).
				Suggest("delete one, or declare another method")
			continue
		}
		lines = append(lines, line)
	}
	return lines
}
