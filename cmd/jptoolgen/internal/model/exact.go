package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/sdk/gen/decode"
)

// SchemaSuffix ends the name of the file with the exact schema of a tool.
const SchemaSuffix = ".schema.json"

// exactly reads the exact schema of a tool, and finds out whether its arguments fit.
func (b *builder) exactly(t *Tool, pos token.Pos) {
	file := t.Name + SchemaSuffix
	f := fitter{b: b, file: file, at: pos, what: "the arguments"}
	text, err := readSchema(filepath.Join(b.pkg.Dir, file))
	if err == nil {
		_, err = decode.ParseSchema(text)
	}
	if err != nil {
		b.list.Add(pos, diag.Misfit, "%s: %v", file, err).Suggest(`write the tool to it as tools/list has it, {"inputSchema": {...}}`)
		return
	}
	t.Exact, f.root = text, decoded(text)
	if wide := widening(f.root); len(wide) > 0 {
		b.list.Add(t.Method.Pos(), diag.WideSchema, "%s has %s, which some clients do not support", file, strings.Join(wide, ", ")).
			Suggest("write //jp:allow %s reason=\"...\" above it", diag.WideSchema)
	}
	if t.Questions != nil && slices.ContainsFunc(t.Questions.List, func(q *Question) bool { return q.Relay != "" }) {
		f.misfit("a question is relayed, which adds an argument to the schema", "delete relay, or schema=exact")
	}
	input := t.Input
	if input == nil {
		input = &schema.Object{Type: types.NewStruct(nil, nil)}
	}
	if shape.Document(f.root); !reflect.DeepEqual(f.root, decoded(text)) {
		f.misfit("keywords next to $ref have no effect in the dialect of its $schema", "delete them, or the $schema")
	}
	f.steps = 1 << 20
	f.value(f.root, &schema.Shape{Kind: schema.Struct, Object: input, Type: input.Type})
}

// readSchema returns the inputSchema of a file, on one line.
func readSchema(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("the file is missing")
	} else if err != nil {
		return nil, err
	}
	var tool struct {
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	if err := json.Unmarshal(data, &tool); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if len(tool.InputSchema) == 0 {
		return nil, errors.New("it has no inputSchema")
	}
	err = json.Compact(&text, tool.InputSchema)
	return text.Bytes(), err
}

// decoded returns a schema that has been parsed before, so that there is no error.
func decoded(text []byte) (s shape.Node) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&s)
	return s
}

// widening returns the keywords of a schema, and of the schemas in it, that the schemas of Go types do not have.
func widening(s shape.Node) []string {
	var all []string
	add := func(words ...string) {
		for _, w := range words {
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	for k, v := range s {
		switch k {
		case "type":
			if _, one := v.(string); !one {
				add("a list of types")
			}
		case "properties":
			members, _ := v.(shape.Node)
			for _, p := range members {
				add(widening(shape.AsNode(p))...)
			}
		case "items", "additionalProperties":
			if inner, ok := v.(shape.Node); ok {
				add(widening(inner)...)
			}
		case "required", "enum", "default", "format", "pattern", "contentEncoding", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems",
			"minProperties", "maxProperties", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		default:
			if !slices.Contains(shape.Annotations, k) {
				add(k)
			}
		}
	}
	slices.Sort(all)
	return all
}
