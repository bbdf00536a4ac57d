package hostconfig

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// JP's own tables for a tool are kept if the mode changes, and keys that the other mode cannot use are removed.
func TestJPModeChanges(t *testing.T) {
	h, _ := Find("jp")
	e := entries(t)["jp"]
	mcp, err := h.Merge(nil, e, false)
	if err != nil {
		t.Fatal(err)
	}
	mcp = bytes.Replace(mcp, []byte("# options.auto_approve = false"), []byte("options.auto_approve = true"), 1)
	e.As, e.Command = JPLocal, []string{"notes"}
	if _, err := h.Merge(mcp, e, false); err == nil || !strings.Contains(err.Error(), "[conversation.tools.note_create], [conversation.tools.note_get] already exist") {
		t.Errorf("got %v", err)
	}
	local, err := h.Merge(mcp, e, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"options.auto_approve = true", `summary = "Create a note, e.g. a list."`, "[conversation.tools.note_create.parameters.title]\ntype = \"string\"\nrequired = true\nsummary = \"Title of the \\\"note\\\".\"\n"} {
		if !strings.Contains(string(local), want) {
			t.Errorf("%s is not in\n%s", want, local)
		}
	}
	local = append(local, "\n[[conversation.tools.note_create.access.fs]]\npath = \".\"\nread = true\n"...)
	e.As, e.Command = JPMCP, []string{"notes"}
	mcp, err = h.Merge(local, e, true)
	if err != nil {
		t.Fatal(err)
	}
	if file, err := parseTOML(mcp); err != nil || strings.Contains(string(mcp), "access") {
		t.Errorf("got %v, %v\n%s", err, file, mcp)
	}
}

// The parameters of a local tool are a copy of the contract, except for their descriptions.
func TestJPParametersChange(t *testing.T) {
	h, _ := Find("jp")
	e := entries(t)["local"]
	whole, err := h.Merge(nil, e, false)
	if err != nil {
		t.Fatal(err)
	}
	for old, text := range map[string][2]string{
		`summary = "Tags."`:                                        {`summary = "At most three tags."`, ""},
		`properties.street.summary = "The street."`:                {"properties.street.examples = \"High Street\"", ""},
		"[conversation.tools.note_get]":                            {"[conversation.tools.get]", ""},
		"required = true\n":                                        {"", "[conversation.tools.note_create] already exists"},
		`properties.street.type = "string"`:                        {`properties.street.type = "integer"`, "[conversation.tools.note_create] already exists"},
		"properties.lines.items.properties.item.required = true\n": {"", "[conversation.tools.note_create] already exists"},
	} {
		all := strings.Replace(string(whole), old, text[0], 1)
		if old == "[conversation.tools.note_get]" { // a tool with another name
			all = strings.ReplaceAll(string(whole), "conversation.tools.note_get", "conversation.tools.get")
		}
		got, err := h.Merge([]byte(all), e, false)
		if text[1] == "" && (err != nil || string(got) != all) || text[1] != "" && (err == nil || !strings.Contains(err.Error(), text[1])) {
			t.Errorf("%s: got %v\n%s", old, err, got)
		}
	}
}

// If the program moves or its flags change, the command that formats the arguments changes too, unless it is the
// user's own.
func TestJPFormatsWithTheSameProgram(t *testing.T) {
	h, _ := Find("jp")
	e := entries(t)["local"]
	whole, err := h.Merge(nil, e, false)
	if err != nil {
		t.Fatal(err)
	}
	e.Command = []string{"/new/notes", "--all"}
	for before, after := range map[string]string{
		"":                                       `style.parameters = { args = ["--all", "format", "note_get", "{{tool}}", "{{context}}"], program = "/new/notes", shell = false }`,
		`style.parameters = "json"`:              `style.parameters = "json"`,
		"style.hidden = true":                    "style.hidden = true",
		"style.parameters = { program = \"x\" }": "style.parameters = { program = \"x\" }",
	} {
		file := string(whole)
		if before != "" {
			i := strings.Index(file, "[conversation.tools.note_get]")
			file = file[:i] + regexp.MustCompile(`style\.parameters.*`).ReplaceAllLiteralString(file[i:], before)
		}
		got, err := h.Merge([]byte(file), e, true)
		if err != nil || !strings.Contains(string(got), after) {
			t.Errorf("%s: got %v, want %s in\n%s", before, err, after, got)
		}
		if again, err := h.Merge(got, e, false); err != nil || string(again) != string(got) {
			t.Errorf("%s: got %v and another file the second time", before, err)
		}
	}
}

// A changed description is kept when other values change. A description that the server adds is not combined with the
// user's summary.
func TestJPKeepsWords(t *testing.T) {
	h, _ := Find("jp")
	e := entries(t)["local"]
	whole, err := h.Merge(nil, e, false)
	if err != nil {
		t.Fatal(err)
	}
	mine := strings.NewReplacer(
		`"Tags."`, `"At most three tags."`,
		`properties.street.summary = "The street."`, `properties.street.examples = "High Street"`,
		`item.required = true`, `item.summary = "Mine."`, // the key required is missing
		`summary = "Create a note, e.g. a list."`, `summary = "My notes."`,
		"description = \"It cannot be changed later.\"\n", "",
	).Replace(string(whole))
	got, err := h.Merge([]byte(mine), e, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"type = \"array\"\nsummary = \"At most three tags.\"\nitems.type = \"string\"\nitems.enum = [\"a\", \"b\"]\n",
		"properties.lines.items.properties.item.summary = \"Mine.\"\n",
		"properties.lines.items.properties.item.required = true\n",
		"properties.street.required = true\nproperties.street.examples = \"High Street\"\n",
		"type = \"integer\"\nsummary = \"How many.\"\ndescription = \"One if omitted.\"\ndefault = 1\n",
		`summary = "My notes."`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	if strings.Contains(string(got), "cannot be changed later") {
		t.Errorf("the description does not belong to the user's summary:\n%s", got)
	}
}

// Two servers can have a tool with the same name if the user renames a table.
func TestJPSameToolInTwoServers(t *testing.T) {
	h, _ := Find("jp")
	for _, name := range []string{"local", "jp"} {
		first, second := entries(t)[name], entries(t)[name]
		second.Name, second.Command = "other", []string{"other", "--jp"}
		file, err := h.Merge(nil, first, false)
		if err != nil {
			t.Fatal(err)
		}
		file = bytes.ReplaceAll(file, []byte("[conversation.tools.note_"), []byte("[conversation.tools.first_"))
		if file, err = h.Merge(file, second, false); err != nil {
			t.Fatal(err)
		}
		for _, e := range []Entry{first, second} {
			if again, err := h.Merge(file, e, false); err != nil || string(again) != string(file) {
				t.Errorf("%s of %s: got %v\n%s", name, e.Name, err, again)
			}
		}
	}
}

// A table stays in the file when the server renames or removes its tool. JP then aborts every query, or the tool fails.
func TestJPTablesOfFormerTools(t *testing.T) {
	h, _ := Find("jp")
	for _, name := range []string{"local", "jp"} {
		e := entries(t)[name]
		file, err := h.Merge(nil, e, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Outdated(file); got != nil {
			t.Errorf("%s: got %q", name, got)
		}
		trusting := bytes.ReplaceAll(file, []byte("run = \"ask\""), []byte("run = \"unattended\""))
		if got, want := e.Outdated(trusting), `[conversation.tools.note_create] runs the tool without approval, but the tool is not read-only; set run = "ask" to require approval for each call`; !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		file = append(file, "\n[conversation.tools.note_other]\nsource = \"mcp.other.note_other\"\ncommand = \"notes call note_other\"\n"...)
		file = bytes.ReplaceAll(file, []byte("[conversation.tools.note_get"), []byte("[conversation.tools.mine"))
		e.Contract.Tools[0].Name, e.Contract.Tools[0].Aliases = "note_add", []manifest.Alias{{Name: "note_create"}}
		e.Contract.Tools = e.Contract.Tools[:1]
		want := []string{
			"[conversation.tools.mine] configures tool note_get, which notes does not have; delete the table",
			"[conversation.tools.note_create] configures note_create, a former name of note_add; move the settings to the table of note_add, and delete this table",
		}
		if got := e.Outdated(file); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestRemarks(t *testing.T) {
	const files = "JP cannot limit the access of MCP tools: note_create can use all files below the root directory"
	const person = "JP cannot prove that a person answered note_create.sure; the call fails with input_unavailable"
	const secret = "JP passes answers to local tools on the command line, where other users of the machine can read them; note_create.key fails with input_unavailable; use --as mcp in a JP since 2026-08-24"
	const lists = "note_get.parts[] accepts any value, but JP's configuration cannot describe a list in a list there; --as mcp passes the whole schema"
	for name, tt := range map[string]struct {
		as    JPMode
		flags []string
		older bool
		want  []string
	}{
		"mcp":    {JPMCP, []string{"--jp"}, false, []string{files, person}},
		"local":  {JPLocal, nil, false, []string{secret, person, lists}},
		"older":  {JPLocal, nil, true, []string{secret, person, lists}},
		"plugin": {JPPlugin, nil, false, []string{person, lists}},
		"plain": {JPMCP, nil, true, []string{
			"JP cannot ask the questions of note_create; the default answer is used, or the call fails with input_unavailable if a question has no default",
			"JP does not pass options to note_create; add them to the arguments of the server: -- --option TOOL.OPTION=VALUE",
			files,
		}},
	} {
		e := Entry{As: tt.as, OlderJP: tt.older, Contract: contract(t), Command: append([]string{"notes"}, tt.flags...)}
		if got := e.Remarks(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

func TestRemarksAboutParameters(t *testing.T) {
	e := Entry{Command: []string{"s"}, Contract: &manifest.Server{Name: "s", Tools: []manifest.Tool{{Name: "t", Input: manifest.Schema(`{"type":"object","properties":{
		"ops":{"type":"array","items":{"type":"string"}},"any":true,"sizes":{"type":"object","additionalProperties":{"type":"integer"}},
		"in":{"type":"object","properties":{"deep":{"type":"object"}},"additionalProperties":false},
		"from":{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}}}`)}}}}
	const ops = "t has a parameter called ops, which JP's setting fan_out uses as well; rename the parameter, or do not set fan_out for the tool"
	process := []string{
		"JP's configuration cannot describe the values of t.sizes, t.in.deep, so a model may guess them; the server checks them, and --as mcp passes the whole schema",
		"JP's configuration cannot describe the alternatives of t.from, so each alternative accepts the members of the others; the server checks them, and --as mcp passes the whole schema",
		"t.any accepts any value, but JP's configuration cannot describe a list in a list there; --as mcp passes the whole schema",
		ops,
	}
	for as, want := range map[JPMode][]string{JPMCP: {ops}, JPLocal: process, JPPlugin: process} {
		if e.As = as; !slices.Equal(e.Remarks(), want) {
			t.Errorf("%s: got %q, want %q", as, e.Remarks(), want)
		}
	}
}

func TestChooseJPMode(t *testing.T) {
	secret := manifest.Question{ID: "key", Kind: "secret"}
	for name, tt := range map[string]struct {
		tool  manifest.Tool
		older bool
		want  JPMode
	}{
		"plain":             {manifest.Tool{}, false, JPMCP},
		"files":             {manifest.Tool{Files: true}, false, JPLocal},
		"secret":            {manifest.Tool{Questions: []manifest.Question{secret}}, false, JPMCP},
		"files and secret":  {manifest.Tool{Files: true, Questions: []manifest.Question{secret}}, false, JPMCP},
		"plain, older":      {manifest.Tool{}, true, JPLocal},
		"with files, older": {manifest.Tool{Files: true}, true, JPLocal},
	} {
		e := Entry{OlderJP: tt.older, Contract: &manifest.Server{Tools: []manifest.Tool{tt.tool}}}
		if got, why := e.ChooseJPMode(); got != tt.want || !strings.Contains(why, "add --as ") {
			t.Errorf("%s: got %s because %s, want %s", name, got, why, tt.want)
		}
	}
}
