package adopt

import (
	"cmp"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// exact is the schema argument of a tool whose schema is published unchanged.
const exact = "exact"

// closed returns the schema argument for a tool that refuses undeclared arguments, or "" for other tools.
func closed(t manifest.Tool) string {
	var input struct {
		AdditionalProperties any `json:"additionalProperties"`
	}
	if json.Unmarshal(t.Input, &input) == nil && input.AdditionalProperties == false {
		return "closed"
	}
	return ""
}

// exactly marks the schemas that Go types cannot express, so they are published unchanged. It reports whether it
// changed anything.
func (s *source) exactly(made *manifest.Server) (changed bool) {
	for i, t := range s.contract.Tools {
		method := s.methods[i]
		change := s.changes.of(method)
		written, ok := made.Tool(cmp.Or(change.name, t.Name))
		if !ok || change.schema == exact || change.derived || change.silent || shape.Same(jsontext.Value(t.Input), jsontext.Value(written.Input)) {
			continue
		}
		change.schema, changed = exact, true
		change.result = len(t.Output) > 0 && !shape.Same(jsontext.Value(t.Output), jsontext.Value(written.Output))
		s.changes[method] = change
		for _, place := range s.places[method] {
			delete(s.changes, place) // with an exact schema, no part has to be left out
		}
	}
	return changed
}
