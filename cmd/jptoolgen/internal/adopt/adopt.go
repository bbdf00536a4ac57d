// Package adopt writes annotated Go packages for existing servers.
//
// The new package has the same names, schemas, descriptions and annotations as the contract of the server. The
// author has to write each handler. [New] generates the contract of the new package in memory. If the generator
// rejects a part, [New] leaves it out and reports it.
package adopt

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/scaffold"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A Package is the source of an adopted server.
type Package struct {
	// Name is the name of the server, restricted to characters that a directory name may contain.
	Name  string
	Files []scaffold.File
	// Contract is the contract that jptoolgen generates from the source.
	Contract *manifest.Server
	// Notes describe what could not be adopted, in the order of the tools.
	Notes []string
}

// maxRounds is the maximum number of attempts to write a package that the generator accepts. Each attempt
// permits or leaves out a part that was rejected, such as a name, a constraint or a type.
const maxRounds = 16

// New returns a package for the server with the given contract. whole is set if the contract includes questions,
// options and codes.
func New(c *manifest.Server, whole bool) (*Package, error) {
	p := &Package{Name: validName(c.Name, "-", schema.MaxName)}
	changes := changes{}
	for range maxRounds {
		s := newSource(c, whole, p.Name, changes)
		if err := s.write(); err != nil {
			return nil, err
		}
		contract, findings, err := s.build()
		if err != nil {
			return nil, err
		}
		p.Files, p.Contract, p.Notes = slices.Concat(s.files, s.schemas), contract, s.notes
		if len(findings) > 0 {
			if again := s.adapt(findings); !again {
				return nil, inexpressible(findings[0])
			}
		} else if !s.markExact(contract) {
			return p, nil
		}
	}
	return nil, fmt.Errorf("the server uses too many features that jptoolgen cannot express")
}

// Unsupported returns a note for each tool in a tools/list response that has parts, such as icons, that a
// contract cannot contain.
func Unsupported(listed []jsontext.Value) (notes []string) {
	taken := []string{"name", "title", "description", "inputSchema", "outputSchema", "annotations"}
	hints := map[string]string{"icons": "icons (declare one as icon= in //jp:tool)", "_meta": "_meta (declare its members in //jp:meta)"}
	for _, text := range listed {
		var tool map[string]any
		if err := json.Unmarshal(text, &tool); err != nil {
			continue // cannot happen: invalid tools are not listed
		}
		var left []string
		for _, name := range slices.Sorted(maps.Keys(tool)) {
			if !slices.Contains(taken, name) {
				left = append(left, cmp.Or(hints[name], name))
			}
		}
		annotations, _ := tool["annotations"].(map[string]any)
		if title, own := annotations["title"], tool["title"]; title != nil && own != nil && title != own {
			left = append(left, "the title in the annotations")
		}
		if len(left) > 0 {
			notes = append(notes, fmt.Sprintf("%v: not adopted: %s", tool["name"], strings.Join(left, ", ")))
		}
	}
	return notes
}

func inexpressible(f diag.Finding) error {
	return fmt.Errorf("jptoolgen cannot express this server: %s (%s)", f.Message, f.Code)
}

// validName returns text if it is a valid name, or else a similar name whose words are joined by separator. The
// parameter limit is the maximum length in bytes.
func validName(text, separator string, limit int) string {
	if schema.ValidName(strings.ReplaceAll(text, separator, "_")) && len(text) <= limit {
		return text
	}
	name := strings.FieldsFunc(schema.Snake(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	valid := strings.Join(name, separator)
	if valid == "" || valid[0] < 'a' {
		valid = "x" + valid
	}
	return strings.TrimRight(valid[:min(len(valid), limit)], separator)
}

// exact is the schema argument of a tool whose schema is published unchanged.
const exact = "exact"

// closedArgument returns the schema argument for a tool that rejects undeclared arguments, or "" for other
// tools.
func closedArgument(t manifest.Tool) string {
	var input struct {
		AdditionalProperties any `json:"additionalProperties"`
	}
	if json.Unmarshal(t.Input, &input) == nil && input.AdditionalProperties == false {
		return "closed"
	}
	return ""
}

// markExact marks the schemas that Go types cannot express, so that they are published unchanged. It
// reports whether it changed anything.
func (s *source) markExact(made *manifest.Server) (changed bool) {
	for i, t := range s.contract.Tools {
		method := s.methods[i]
		change := s.changes.of(method)
		written, ok := made.Tool(cmp.Or(change.name, t.Name))
		if !ok || change.schema == exact || change.derived || change.silent || breaking.Same(t.Input, written.Input) {
			continue
		}
		change.schema, changed = exact, true
		change.result = len(t.Output) > 0 && !breaking.Same(t.Output, written.Output)
		for _, place := range s.places[method] {
			delete(s.changes, place) // with an exact schema, no part has to be left out
		}
	}
	return changed
}
