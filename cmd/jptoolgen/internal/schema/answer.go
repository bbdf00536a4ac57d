package schema

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Answer reads the tags of a question's field as constraints for an answer of shape s. It reports keys of the
// jsonschema tag that are neither description nor among the given keys.
func (a *Analyzer) Answer(v *types.Var, tags string, s *Shape, keys ...string) Constraints {
	t := a.tagOf(candidate{path: []*types.Var{v}, tag: reflect.StructTag(tags)}, Site{Pos: a.source.Pos(v)})
	t.answer = true
	a.formats(t)
	t.entries = slices.DeleteFunc(t.entries, func(e entry) bool {
		k, ok := a.keyword(e)
		idle := ok && k.Name != "description" && !slices.Contains(keys, k.Name)
		if idle {
			a.list.Add(e.pos, diag.IdleConstraint, "%s does not apply to this kind of question", e.key).Suggest("delete it")
		}
		return idle || !ok
	})
	return a.constraints(t, s)
}

// formats reports formats that answers cannot have. An argument may have any format, because formats of
// arguments are not checked.
func (a *Analyzer) formats(t tag) {
	for _, e := range t.entries {
		if e.key == "format" && !slices.Contains(question.Formats(), e.value) {
			a.list.Add(e.pos, diag.BadConstraint, "invalid answer format %q", e.value).
				Suggest("write one of %s", strings.Join(question.Formats(), ", "))
		}
	}
}
