package clientgen_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/clientgen"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// The tests of sdk/client compile and use the client of the fixture. UPDATE_CLIENT=1 rewrites it.
func TestSourceOfTheFixture(t *testing.T) {
	const golden = "../../../../internal/fixture/fixtureclient/client_gen.go"
	data, err := os.ReadFile("../../../../internal/fixture/jp.lock.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := lock.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := clientgen.Source(s, "fixtureclient")
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_CLIENT") != "" {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is out of date; run UPDATE_CLIENT=1 go test", golden)
	}
}

// For a result in an envelope, the client returns the data.
func TestSourceOfAnEnvelope(t *testing.T) {
	got, err := clientgen.Source(&manifest.Server{Name: "s", Envelope: true, Tools: []manifest.Tool{{
		Name: "get", Output: manifest.Schema(`{"properties":{"success":{"type":"boolean"},"data":{"type":"object","properties":{"size":{"type":"integer"}},"required":["size"]},"error":{"type":"object","properties":{}}}}`),
	}}}, "sclient")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Envelope: true", "type GetResult struct {\n\tSize int64 `json:\"size\"`\n}"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// The client for any contract compiles.
func TestSourceOfForeignContracts(t *testing.T) {
	s := &manifest.Server{
		Name: "x*/ y\npackage evil", Description: "*/ }\n//go:embed x",
		Codes: []manifest.Code{{Name: "a", Description: "*/\nvar x = 1"}, {Name: "A"}},
		Tools: []manifest.Tool{
			{Name: "Connect", Description: "\x00\n*/"},
			{Name: "get-it", Input: manifest.Schema(`{"properties":{"type":{"type":"string","enum":["a","A","","é",1]},"Type":{},"1":{"type":"integer"},"a b":{"type":"array","items":{"type":"array","items":{"type":"object","properties":{"x":{"type":"null"}}}}}},"required":["type"]}`)},
			{Name: "get_it", Output: manifest.Schema(`{"properties":{"a\"b` + "`" + `":{"type":["string","null"]},"r":{"$ref":"#/x"},"u":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}`)},
			{Name: "a_b", Questions: []manifest.Question{{ID: "c", Kind: "confirm"}}},
			{Name: "a", Questions: []manifest.Question{{ID: "b-c", Kind: "confirm"}, {ID: "b_c", Kind: "text"}}},
			{Name: "odd", Input: manifest.Schema(`{"properties":{"-":{"type":"string"},"part":{"type":"object","properties":{"x,y":{"type":"string"}}}},"required":["-"]}`)},
			{Name: "nameless", Input: manifest.Schema(`{"properties":{"":{"type":"string"}}}`)},
			{Name: "日本", Questions: []manifest.Question{{ID: "q", Kind: "choice", Answers: []manifest.Value{{Value: "*/"}, {Value: ""}}}, {ID: "Q", Kind: "form"}}},
		},
	}
	s.Resources = []manifest.Resource{{URI: "x://\"\n", Name: "read"}, {URI: "x://a", Name: ""}, {URI: "x://b", Name: "get-it", MIMEType: "text/plain"}}
	s.Templates = []manifest.Resource{
		{URITemplate: "x://{a,b}{?c*}", Name: "t", Description: "*/"}, {URITemplate: "x://{", Name: "T", MIMEType: "a/b+json; x=y", Lists: true},
		{URITemplate: "x://{a}", Name: "complete", Completes: []string{"a", "A"}, Questions: []manifest.Question{{ID: "q", Kind: "confirm"}}},
	}
	s.Prompts = []manifest.Prompt{{Name: "prompt", Arguments: []manifest.PromptArgument{{Name: "a b", Required: true}, {Name: ""}}}, {Name: "t"}}
	got, err := clientgen.Source(s, "strange")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "strange.go", got, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v in\n%s", err, got)
	}
	compiler := types.Config{Importer: noPackages{}, IgnoreFuncBodies: true, Error: func(err error) {
		if !strings.Contains(err.Error(), errNothing.Error()) {
			t.Error(err)
		}
	}}
	_, _ = compiler.Check("strange", fset, []*ast.File{file}, nil) // Config.Error collects the errors
	for _, want := range []string{"`json:\"-,\"`", "Part map[string]any `json:\"part,omitempty\"`", "Nameless(ctx context.Context, in map[string]any)"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	for line := range strings.Lines(string(got)) {
		if strings.HasPrefix(line, "//go:") || strings.HasPrefix(line, "package evil") || strings.HasPrefix(line, "var x") {
			t.Errorf("text became code: %q", line)
		}
	}
}

// The types of a client match the schemas of pydantic, which writes optional values as alternatives with null,
// and models as definitions.
func TestTypesOfForeignContracts(t *testing.T) {
	schema := manifest.Schema(`{"type":"object","required":["req","tree"],"properties":{
		"opt":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"Opt"},
		"num":{"anyOf":[{"type":"integer"},{"type":"null"}]},
		"req":{"type":["number","null"]},
		"list":{"anyOf":[{"items":{"anyOf":[{"type":"integer"},{"type":"null"}]},"type":"array"},{"type":"null"}]},
		"model":{"anyOf":[{"$ref":"#/$defs/Address"},{"type":"null"}]},
		"all":{"allOf":[{"$ref":"#/$defs/Address"}]},
		"models":{"type":"object","additionalProperties":{"$ref":"#/$defs/Address"}},
		"free":{"type":"object","additionalProperties":true},
		"color":{"$ref":"#/$defs/Color"},
		"colors":{"type":"array","items":{"$ref":"#/$defs/Color"}},
		"titled":{"oneOf":[{"const":"a","title":"The first."},{"const":"b","title":"The second."}]},
		"one":{"const":"x"},
		"tree":{"$ref":"#/$defs/Tree"},
		"odd\"name":{"type":"string"}
	},"$defs":{"Address":{"type":"object","properties":{"street":{"type":"string"}},"required":["street"]},
		"Color":{"type":"string","enum":["red","green"]},
		"Tree":{"type":"object","properties":{"left":{"$ref":"#/$defs/Tree"},"nodes":{"type":"array","items":{"$ref":"#/$defs/Tree"}}}}}}`)
	got, err := clientgen.Source(&manifest.Server{Name: "s", Listed: true, Tools: []manifest.Tool{
		{Name: "get", Input: schema, Output: manifest.Schema(`{"type":"object","additionalProperties":true}`)},
		{Name: "set", Input: schema},
	}}, "sclient")
	if err != nil {
		t.Fatal(err)
	}
	source := strings.Join(strings.Fields(string(got)), " ")
	for _, want := range []string{
		"Opt *string `json:\"opt,omitempty\"`", "Num *int64 `json:\"num,omitempty\"`", "Req *float64 `json:\"req\"`",
		"List []*int64 `json:\"list,omitempty\"`", "Model *Address `json:\"model,omitempty\"`", "All *Address `json:\"all,omitempty\"`",
		"Models map[string]Address `", "Free map[string]any `", "Color Color `json:\"color,omitempty\"`", "Colors []Color `",
		"Titled GetInputTitled `", "// The first. GetInputTitledA GetInputTitled = \"a\"", "One GetInputOne `", "Tree Tree `json:\"tree\"`",
		"type Tree struct { Left *Tree `json:\"left,omitempty\"` Nodes []*Tree `json:\"nodes,omitempty\"` }",
		`The property "odd\"name" is omitted`, "Get(ctx context.Context, in GetInput) (map[string]any, error)",
	} {
		if !strings.Contains(source, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	for _, once := range []string{"type Address struct", "type Tree struct", "type Color string"} {
		if n := strings.Count(source, once); n != 1 {
			t.Errorf("%s is declared %d times", once, n)
		}
	}
}

// The generator handles text with characters that Go does not allow in a source file.
func TestSourceOfInvisibleText(t *testing.T) {
	for _, text := range []string{"\ufeffA.", "A\ufeffB.", "\u202eA.", "\xffA.", "A\x00B."} {
		s := &manifest.Server{Name: text, Description: text, Tools: []manifest.Tool{{Name: "t" + text, Description: text, Input: manifest.Schema(`{"properties":{"a":{"type":"string","enum":["\ufeff"]}}}`)}}}
		got, err := clientgen.Source(s, "c")
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if strings.Contains(string(got), "\ufeff") {
			t.Errorf("%q is in the source", text)
		}
	}
}

var errNothing = errors.New("nothing is imported")

// noPackages is an importer that finds no packages, so that uses of imported names are not checked.
type noPackages struct{}

func (noPackages) Import(string) (*types.Package, error) { return nil, errNothing }

func TestSourceRefusesPackageNames(t *testing.T) {
	for _, name := range []string{"", "_", "a-b", "func", "Upper", "a b"} {
		if _, err := clientgen.Source(&manifest.Server{}, name); err == nil {
			t.Errorf("package name %q was accepted", name)
		}
	}
	for server, want := range map[string]string{"my-notes": "mynotesclient", "9x": "xclient", "": "client"} {
		if got := clientgen.PackageName(server); got != want {
			t.Errorf("%q: got %s, want %s", server, got, want)
		}
	}
}
