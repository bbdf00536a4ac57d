package hostconfig

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A JP before [JPChange] aborts a query if a property has no type, and does not read members or details of items
// (crates/jp_llm/src/tool.rs, merge_mcp_param). Later versions read the whole schema of an MCP server.
func TestJPLearnsTypes(t *testing.T) {
	const defs = `"$defs":{"Kind":{"enum":["a","b"]},"Size":{"type":"integer"},"Loop":{"$ref":"#/$defs/Loop"},"Of":{"allOf":[{"$ref":"#/$defs/Size"}]},"a/b":{"type":"boolean"}}`
	const any = "type = [\"array\", \"boolean\", \"number\", \"object\", \"string\", \"null\"]\nitems.type = [\"boolean\", \"number\", \"object\", \"string\", \"null\"]"
	for schema, want := range map[string]string{
		`{"type":"integer"}`:                                        "",
		`{"type":["integer","null"]}`:                               "",
		`{"anyOf":[{"type":"integer"},{"type":"null"}]}`:            "",
		`{"type":"array","items":{"type":"string"}}`:                "",
		`{"type":"array","items":{"type":"string","enum":["a"]}}`:   "type = \"array\"\nitems.type = \"string\"\nitems.enum = [\"a\"]",
		`{"type":"object","properties":{"a":{"type":"string"}}}`:    "type = \"object\"\nproperties.a.type = \"string\"",
		`{"type":"array"}`:                                          "",
		`true`:                                                      any,
		`{"enum":[1,2]}`:                                            "type = \"number\"\nenum = [1, 2]",
		`{"const":true}`:                                            "type = \"boolean\"\nenum = [true]",
		`{"oneOf":[{"type":"null"},{"type":"integer"}]}`:            `type = ["integer", "null"]`,
		`{"$ref":"#/$defs/Size"}`:                                   `type = "integer"`,
		`{"$ref":"#/$defs/Of"}`:                                     `type = "integer"`,
		`{"$ref":"#/$defs/a~1b"}`:                                   `type = "boolean"`,
		`{"$ref":"#/$defs/Loop"}`:                                   any,
		`{"$ref":"#/$defs/Gone"}`:                                   any,
		`{"$ref":"https://example.com/schema"}`:                     any,
		`{"anyOf":[{"$ref":"#/$defs/Size"},{"type":"null"}]}`:       `type = ["integer", "null"]`,
		`{"anyOf":[{"type":"null"},{"type":["integer","string"]}]}`: `type = ["integer", "string", "null"]`,
		`{"properties":{"a":{"type":"string"}}}`:                    "type = \"object\"\nproperties.a.type = \"string\"",
		`{"type":"array","items":{"$ref":"#/$defs/Kind"}}`:          "type = \"array\"\nitems.type = \"string\"\nitems.enum = [\"a\", \"b\"]",
		`{"items":{"type":"integer"}}`:                              "type = \"array\"\nitems.type = \"integer\"",
	} {
		h, _ := Find("jp")
		got, err := h.Snippet(Entry{Name: "s", Command: []string{"s"}, As: JPMCP, OlderJP: true, Contract: &manifest.Server{Name: "s", Tools: []manifest.Tool{{
			Name: "t", Input: manifest.Schema(`{"type":"object","properties":{"q":` + schema + `},` + defs + `}`),
		}}}})
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(string(got), "[conversation.tools.t.parameters.q]\n")
		if text = strings.TrimSuffix(text, "\n"); text != want {
			t.Errorf("%s: got %s, want %s", schema, text, want)
		}
	}
}

// JP adds the defaults of missing parameters to the arguments of a local tool, and to each object in them. An object must
// not get the members of another case.
func TestJPDefaultsOfCases(t *testing.T) {
	const file, web = `{"type":"object","properties":{"path":{"type":"string","default":"."}}}`, `{"type":"object","properties":{"depth":{"type":"integer","default":2}}}`
	h, _ := Find("jp")
	got, err := h.Snippet(Entry{Name: "s", Command: []string{"s"}, As: JPLocal, Contract: &manifest.Server{Name: "s", Tools: []manifest.Tool{{
		Name: "t", Input: manifest.Schema(`{"properties":{"from":{"oneOf":[` + file + `,` + web + `]},"all":{"type":"array","items":{"anyOf":[` + file + `,` + web + `]}},"only":` + web + `}}`),
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nproperties.path.type", "\nproperties.depth.type", "\nitems.properties.depth.type"} {
		if !bytes.Contains(got, []byte(want)) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if n := bytes.Count(got, []byte("default = ")); n != 1 {
		t.Errorf("got %d defaults, want that of only:\n%s", n, got)
	}
}

// The user must set a default that TOML cannot express.
func TestJPOptionsThatTOMLCannotHold(t *testing.T) {
	h, _ := Find("jp")
	got, err := h.Snippet(Entry{Name: "s", Command: []string{"s"}, As: JPLocal, Contract: &manifest.Server{Name: "s", Tools: []manifest.Tool{{
		Name: "t", Options: manifest.Schema(`{"properties":{"big":{"default":18446744073709551615},"far":{"default":1e999},"none":{"default":null},
			"near":{"default":1.5},"many":{"default":[1,null]},"max":{"default":9223372036854775807}}}`),
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# options.big = …", "# options.far = …", "# options.none = …", "# options.near = 1.5", "# options.many = …", "# options.max = 9223372036854775807"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	if _, err := parseTOML(got); err != nil {
		t.Error(err)
	}
}

// JP reads the program and the arguments of a local tool as templates. It renders {{'{{'}} as {{.
func TestJPTemplatesInArguments(t *testing.T) {
	e := entries(t)["local"]
	e.Command = []string{"/opt/{%x", "--form={{tool}}", "{# {{{ { }} #}"}
	h, _ := Find("jp")
	got, err := h.Snippet(e)
	if err != nil {
		t.Fatal(err)
	}
	want := `{ program = "/opt/{{'{%'}}x", args = ["--form={{'{{'}}tool}}", "{{'{#'}} {{'{{'}}{ { }} #}", "call", "note_get", "{{tool}}", "{{context}}"], shell = false }`
	if !strings.Contains(string(got), want) {
		t.Errorf("%s is not in\n%s", want, got)
	}
}

// A source in JP has the form mcp.SERVER.TOOL.
func TestJPRefusesADotInTheServersName(t *testing.T) {
	e := entries(t)["jp"]
	e.Name = "io.example/notes"
	h, _ := Find("jp")
	if _, err := h.Snippet(e); err == nil || !strings.Contains(err.Error(), "another name with --name") {
		t.Errorf("got %v", err)
	}
}

// JP rejects a file with an unknown key or without a required value. A line that is commented out is valid once it has
// a value.
func TestJPKnowsEveryKey(t *testing.T) {
	all := strings.Fields
	parameter := all("type required default enum summary description examples items properties")
	command := all("program args shell")
	known := map[string][]string{ // the keys of each path; * matches any name
		"providers.mcp.*":                       all("type command arguments variables checksum optional startup_timeout_secs"),
		"conversation.tools.*":                  all("source enable command summary description examples parameters run format result cancellation_response style questions options access"),
		"conversation.tools.*.questions.*":      all("target answer"),
		"conversation.tools.*.command":          command,
		"conversation.tools.*.style":            all("hidden inline_results results_file_link parameters error"),
		"conversation.tools.*.style.parameters": command,
		"conversation.tools.*.access":           all("fs"),
		"conversation.tools.*.access.fs":        all("path external read write create update delete execute"),
		"conversation.tools.*.parameters.*":     parameter,
	}
	suggested := regexp.MustCompile(`(?m)^# (\S+) = (…|.*?) #`)
	h, _ := Find("jp")
	for _, name := range []string{"plain", "jp", "local", "older", "before"} {
		text, err := h.Merge(nil, entries(t)[name], false)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parseTOML(suggested.ReplaceAllFunc(text, func(line []byte) []byte {
			return bytes.TrimPrefix(bytes.Replace(line, []byte("…"), []byte("true"), 1), []byte("# "))
		}))
		if err != nil {
			t.Fatal(err)
		}
		if any, _ := at(file, anyTool.path); !has(any, "run") {
			t.Error("run has no default")
		}
		if p, ok := at(file, []string{"providers", "mcp", "notes"}); ok && (!has(p, "type") || !has(p, "startup_timeout_secs")) {
			t.Errorf("provider %v lacks a type or a time limit", p)
		}
		walkTOML(file, nil, func(path, key string, table map[string]any) {
			if strings.Contains(path, ".parameters.*.") { // items and properties have the keys of parameters
				path = "conversation.tools.*.parameters.*"
			}
			if names, ok := known[path]; ok && !slices.Contains(names, key) {
				t.Errorf("%s: JP does not have the key %s in %s", name, key, path)
			}
			if path == "conversation.tools.*.parameters.*" && !has(table, "type") {
				t.Errorf("%s: a parameter has no type: %v", name, table)
			}
		})
	}
}

// After --replace, a table has the keys of a new one, whatever it was before, and the file does not change again. What the
// user wrote stays.
func TestJPMoves(t *testing.T) {
	h, _ := Find("jp")
	var all []Entry
	for _, name := range []string{"jp", "local", "plugin", "older", "before"} {
		e := entries(t)[name]
		all = append(all, e)
		changed := contract(t)
		tool := &changed.Tools[0]
		tool.Input = manifest.Schema(`{"type":"object","required":["tags"],"properties":{"heading":{"type":"string"},"tags":{"type":"string"},"count":{"type":"integer"},
			"to":{"type":"object","properties":{"town":{"type":"string"},"street":{"type":"integer"}}},"any":true}}`)
		tool.Questions, tool.Options = tool.Questions[1:], nil
		e.Contract = changed
		all = append(all, e)
	}
	user := strings.NewReplacer("[conversation.tools.note_create]\n", "[conversation.tools.note_create] # mine\nresult = \"ask\" # mine\nquestions.badge-name.answer = \"x\" # mine\n",
		"[conversation.tools.note_get]\nsource = \"command.notes\"", "[conversation.tools.'my get']\nsource = \"command.notes.note_get\"",
		"conversation.tools.note_get", "conversation.tools.'my get'", "[conversation.tools.note_create.parameters.to]", "# mine: to\n[conversation.tools.note_create.parameters.to]")
	for i, before := range all {
		fresh, err := h.Merge(nil, before, false)
		if err != nil {
			t.Fatal(err)
		}
		for k, after := range all {
			name := fmt.Sprintf("%d to %d", i, k)
			old := user.Replace(string(fresh))
			got, err := h.Merge([]byte(old), after, true)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if again, err := h.Merge(got, after, false); err != nil || string(again) != string(got) {
				t.Errorf("%s: a second time: %v\n%s", name, err, again)
			}
			if strings.Count(old, "# mine") != bytes.Count(got, []byte("# mine")) {
				t.Errorf("%s: got\n%s\nfrom\n%s", name, got, old)
			}
			want, err := h.Merge(nil, after, false)
			if err != nil {
				t.Fatal(err)
			}
			file, _ := parseTOML(got)
			renamed := strings.ReplaceAll(string(want), "[conversation.tools.note_get]\nsource = \"command.notes\"", "[conversation.tools.note_get]\nsource = \"command.notes.note_get\"")
			fresh, _ := parseTOML([]byte(strings.ReplaceAll(renamed, "conversation.tools.note_get", "conversation.tools.'my get'")))
			for _, e := range edits(nil, file, fresh, false) {
				key := e.path[len(e.path)-1]
				own := key == "result" || key == "questions" || e.path[0] == "providers" && e.value == nil
				// The words of a parameter may be the user's, and so may the parameters of an MCP tool.
				words := slices.Contains([]string{"summary", "description"}, key) && len(e.path) > 4
				overrides := after.As == JPMCP && slices.Contains(e.path, "parameters") && e.value == nil
				if !own && !words && !overrides {
					t.Errorf("%s: %v is %v, want %v", name, e.path, e.have, e.value)
				}
			}
		}
	}
}

// JP drops a local tool whose parameters do not pass its check (crates/jp_tool/src/schema.rs, validate_node), so config must
// not write such parameters. The contracts have all kinds of parameters.
func TestJPAcceptsParameters(t *testing.T) {
	for _, name := range []string{
		"examples/bookworm/internal/crates", "examples/grizzly/internal/notes", "examples/hello", "internal/fixture", "internal/fixture/kinds",
		"internal/fixture/shelf", "internal/fixture/studio", "internal/conformance", "cmd/jptoolgen/internal/corpus", "cmd/jptoolgen/internal/kiosk",
	} {
		data, err := os.ReadFile("../../../../" + name + "/jp.lock.json")
		if err != nil {
			t.Fatal(err)
		}
		contract, err := lock.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		h, _ := Find("jp")
		text, err := h.Merge(nil, Entry{Name: "s", Command: []string{"s"}, As: JPLocal, Contract: contract}, false)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parseTOML(text)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for tool, table := range toolTables(file) {
			parameters, _ := table.(map[string]any)["parameters"].(map[string]any)
			for p, node := range parameters {
				n++
				for _, problem := range checkParameter(node.(map[string]any)) {
					t.Errorf("%s: parameter %s of %s: %s", name, p, tool, problem)
				}
			}
		}
		if n == 0 {
			t.Errorf("%s has no parameters", name)
		}
	}
	for text, want := range map[string]string{
		`type = []`: "types []", `type = "int"`: "types [int]", `type = ["string", "string"]`: "types [string string]", `enum = ["a"]`: "types []",
		`type = "array"`: "array without items", "type = \"string\"\nitems.type = \"string\"": "items of [string]",
		"type = \"array\"\nitems.type = \"array\"":                               "array without items",
		"type = \"string\"\nproperties.a.type = \"string\"":                      "properties of [string]",
		"type = \"object\"\nproperties.a.summary = \"x\"":                        "types []",
		"type = \"string\"\nenum = [1]":                                          "value 1",
		"type = \"string\"\nenum = [\"a\", \"a\"]":                               "value a twice",
		"type = \"integer\"\ndefault = 1.5":                                      "value 1.5",
		"type = \"string\"\nenum = [\"a\"]\ndefault = \"b\"":                     "default b",
		"type = \"object\"\nproperties.a.type = \"string\"\ndefault = { a = 1 }": "value 1",
	} {
		node, err := parseTOML([]byte(text))
		if got := checkParameter(node); err != nil || !slices.Contains(got, want) {
			t.Errorf("%s: got %q, %v, want %q", text, got, err, want)
		}
	}
}

// checkParameter returns the parts of a parameter that JP rejects.
func checkParameter(node map[string]any) (all []string) {
	types := strings.Fields(strings.Trim(fmt.Sprint(node["type"]), "[]"))
	if node["type"] == nil {
		types = nil
	}
	unique := slices.Compact(slices.Sorted(slices.Values(types)))
	if len(types) == 0 || len(unique) != len(types) || slices.ContainsFunc(types, func(s string) bool {
		return !slices.Contains([]string{"array", "boolean", "integer", "null", "number", "object", "string"}, s)
	}) {
		all = append(all, fmt.Sprintf("types %v", types))
	}
	items, hasItems := node["items"].(map[string]any)
	properties, _ := node["properties"].(map[string]any)
	switch {
	case slices.Contains(types, "array") && !hasItems:
		all = append(all, "array without items")
	case hasItems && !slices.Contains(types, "array"):
		all = append(all, fmt.Sprintf("items of %v", types))
	case hasItems:
		all = append(all, checkParameter(items)...)
	}
	if len(properties) > 0 && !slices.Contains(types, "object") {
		all = append(all, fmt.Sprintf("properties of %v", types))
	}
	for _, p := range properties {
		all = append(all, checkParameter(p.(map[string]any))...)
	}
	enum, _ := node["enum"].([]any)
	for i, v := range enum {
		if slices.Contains(enum[:i], v) {
			all = append(all, fmt.Sprintf("value %v twice", v))
		}
		all = append(all, checkValue(node, v)...)
	}
	if v := node["default"]; v != nil {
		if len(enum) > 0 && !slices.Contains(enum, v) {
			all = append(all, fmt.Sprintf("default %v", v))
		}
		all = append(all, checkValue(node, v)...)
	}
	return all
}

// checkValue returns the parts of a value that do not have the types of a parameter.
func checkValue(node map[string]any, v any) (all []string) {
	kinds := map[string][]string{"string": {"string"}, "bool": {"boolean"}, "int64": {"integer", "number"}, "float64": {"number"}, "[]interface {}": {"array"}, "map[string]interface {}": {"object"}}
	if !slices.ContainsFunc(kinds[fmt.Sprintf("%T", v)], func(kind string) bool { return strings.Contains(fmt.Sprint(node["type"]), kind) }) {
		all = append(all, fmt.Sprintf("value %v", v))
	}
	if list, ok := v.([]any); ok {
		items, _ := node["items"].(map[string]any)
		for _, v := range list {
			all = append(all, checkValue(items, v)...)
		}
	}
	members, _ := v.(map[string]any)
	properties, _ := node["properties"].(map[string]any)
	for name, p := range properties {
		p := p.(map[string]any)
		if v, ok := members[name]; ok {
			all = append(all, checkValue(p, v)...)
		} else if p["required"] == true && members != nil {
			all = append(all, "missing "+name)
		}
	}
	return all
}

// walkTOML calls visit for each key of each table. In the path of a table, * is any name that JP does not define.
func walkTOML(v any, path []string, visit func(path, key string, table map[string]any)) {
	tables, _ := v.([]map[string]any)
	if table, ok := v.(map[string]any); ok {
		tables = append(tables, table)
	}
	named := len(path) > 0 && slices.Contains([]string{"mcp", "tools", "questions", "parameters", "properties", "options"}, path[len(path)-1]) &&
		!strings.HasSuffix(strings.Join(path, "."), "style.parameters")
	for _, table := range tables {
		for key, inner := range table {
			step := key
			if named {
				step = "*"
			} else {
				visit(strings.Join(path, "."), key, table)
			}
			walkTOML(inner, append(slices.Clone(path), step), visit)
		}
	}
}
