package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// SchemaSuffix is the suffix of files that contain the exact schemas of a tool.
const SchemaSuffix = ".schema.json"

// readExact reads the exact schemas of a tool from a file next to its method, and checks whether the tool's types
// fit them.
func (b *builder) readExact(s *Server, t *Tool, file string, pos token.Pos) {
	f := fitter{b: b, file: file, at: pos, what: "the arguments", steps: new(1 << 20)}
	dir := b.pkg.Dir
	if t.Method.Pkg() != b.pkg.Types {
		dir = b.dirOf(t.Method)
	}
	var err error
	if t.Exact, t.ExactResult, err = readSchemas(filepath.Join(dir, file)); err != nil {
		t.Exact, t.ExactResult = nil, nil
		b.list.Add(pos, diag.Misfit, "%s: %v", f.file, err).Suggest(`write the tool's entry from tools/list to it: {"inputSchema": {...}}`)
		return
	}
	for _, problem := range shape.Defects(jsontext.Value(t.Exact)) {
		b.list.Add(pos, diag.BadSchema, "%s: invalid inputSchema: %s", f.file, problem).Suggest("correct the file")
	}
	words := map[string]bool{}
	addWideningKeywords(shape.AsNode(shape.Decode(t.Exact)), words)
	addWideningKeywords(shape.AsNode(shape.Decode(t.ExactResult)), words)
	if wide := slices.Sorted(maps.Keys(words)); len(wide) > 0 {
		b.list.Add(t.Method.Pos(), diag.WideSchema, "%s uses %s, which some clients do not support", f.file, strings.Join(wide, ", ")).
			Suggest("write //jp:allow %s reason=\"...\" above it", diag.WideSchema)
	}
	if t.Questions != nil && slices.ContainsFunc(t.Questions.List, func(q *Question) bool { return q.Relay != "" }) {
		f.report("a relayed question would add an argument to the schema", "delete relay, or schema=exact")
	}
	input := t.Input
	if input == nil {
		input = &schema.Object{Type: types.NewStruct(nil, nil)}
	}
	f.forms = shape.NewForms(f.document(t.Exact), f.steps)
	f.value(f.forms.Root, &schema.Shape{Kind: schema.Struct, Object: input, Type: input.Type})
	if t.ExactResult != nil {
		f.direction, f.what = schema.Out, "the result"
		f.forms = shape.NewForms(f.document(t.ExactResult), f.steps)
		f.result(s, t)
	}
}

// document parses the schema that the type must fit.
func (f fitter) document(text []byte) shape.Node {
	root := shape.AsNode(shape.Decode(text))
	if shape.Document(root); !reflect.DeepEqual(root, shape.AsNode(shape.Decode(text))) {
		f.report("the dialect that $schema specifies ignores keywords next to $ref", "delete the keywords or $schema")
	}
	return root
}

// readSchemas returns the inputSchema and the outputSchema in a file, each on one line. The outputSchema is nil
// if the file does not have one.
func readSchemas(name string) (input, output manifest.Schema, err error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, errors.New("the file does not exist")
	} else if err != nil {
		return nil, nil, err
	}
	var tool struct {
		InputSchema, OutputSchema json.RawMessage
	}
	if err := json.Unmarshal(rawjson.NoMark(data), &tool); err != nil {
		return nil, nil, err
	}
	if len(tool.InputSchema) == 0 {
		return nil, nil, errors.New("inputSchema is missing")
	}
	if input, err = compact(tool.InputSchema); err == nil && len(tool.OutputSchema) > 0 {
		output, err = compact(tool.OutputSchema)
	}
	return input, output, err
}

// compact writes a schema on one line. It returns an error if the runtime cannot check the schema.
func compact(text []byte) ([]byte, error) {
	var line bytes.Buffer
	_ = json.Compact(&line, text) // the text was read as JSON
	_, err := decode.ParseSchema(line.Bytes())
	return line.Bytes(), err
}

// addWideningKeywords adds to words the keywords of a schema and its subschemas that the schemas of Go types do
// not have.
func addWideningKeywords(s shape.Node, words map[string]bool) {
	for k, v := range s {
		switch k {
		case "type":
			if _, one := v.(string); !one {
				words["a list of types"] = true
			}
		case "properties":
			members, _ := v.(shape.Node)
			for _, p := range members {
				addWideningKeywords(shape.AsNode(p), words)
			}
		case "items", "additionalProperties":
			inner, _ := v.(shape.Node)
			addWideningKeywords(inner, words)
		case "required", "enum", "default", "format", "pattern", "contentEncoding", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems",
			"minProperties", "maxProperties", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		default:
			if !slices.Contains(shape.Annotations, k) {
				words[k] = true
			}
		}
	}
}
