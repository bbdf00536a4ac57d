package peer

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestHeaderValue(t *testing.T) {
	for text, want := range map[string]string{
		"us-west1":            "us-west1",
		"us west 1":           "us west 1",
		"":                    "",
		"Hello, 世界":           "=?base64?SGVsbG8sIOS4lueVjA==?=",
		" padded ":            "=?base64?IHBhZGRlZCA=?=",
		"line1\nline2":        "=?base64?bGluZTEKbGluZTI=?=",
		"\tindented":          "=?base64?CWluZGVudGVk?=",
		"a\tb":                "=?base64?YQli?=",
		"=?base64?literal?=":  "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
		"=?base64?literal?= ": "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89IA==?=",
		"=?base64?":           "=?base64?",
	} {
		if got := headerValue(text); got != want {
			t.Errorf("headerValue(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestAnnotations(t *testing.T) {
	property := func(text string) string { return `{"type":"object","properties":{"a":` + text + `}}` }
	for schema, want := range map[string]string{ // the value lists the headers, or is an error
		property(`{"type":"string","x-mcp-header":"Region"}`):                                                "a=Region",
		property(`{"type":"object","properties":{"b":{"x-mcp-header":"X","type":"integer"}}}`):               "a.b=X",
		property(`{"type":"object","properties":{"x-mcp-header":{"type":"string"}}}`):                        "",
		property(`{"type":"object","default":{"x-mcp-header":"X"},"examples":[{"x-mcp-header":7}]}`):         "",
		property(`{"type":"string","x-mcp-header":""}`):                                                      "not a valid header name",
		property(`{"type":"string","x-mcp-header":"My Region"}`):                                             "not a valid header name",
		property(`{"type":"string","x-mcp-header":"Région"}`):                                                "not a valid header name",
		property(`{"type":"string","x-mcp-header":"a\r\nb"}`):                                                "not a valid header name",
		property(`{"type":"string","x-mcp-header":7}`):                                                       "not a valid header name",
		property(`{"type":"number","x-mcp-header":"X"}`):                                                     "to have the type string, integer or boolean",
		property(`{"type":["string","null"],"x-mcp-header":"X"}`):                                            "to have the type string, integer or boolean",
		property(`{"x-mcp-header":"X"}`):                                                                     "to have the type string, integer or boolean",
		property(`{"type":"array","items":{"type":"string","x-mcp-header":"X"}}`):                            "allowed only on properties, and on properties of nested objects",
		property(`{"anyOf":[{"type":"string","x-mcp-header":"X"},{"type":"null"}]}`):                         "allowed only on properties, and on properties of nested objects",
		property(`{"type":"object","additionalProperties":{"type":"string","x-mcp-header":"X"}}`):            "allowed only on properties, and on properties of nested objects",
		`{"$defs":{"a":{"type":"string","x-mcp-header":"X"}}}`:                                               "allowed only on properties, and on properties of nested objects",
		`{"then":{"properties":{"a":{"type":"string","x-mcp-header":"X"}}}}`:                                 "allowed only on properties, and on properties of nested objects",
		`{"type":"string","x-mcp-header":"X"}`:                                                               "allowed only on properties, and on properties of nested objects",
		`{"properties":{"a":{"type":"string","x-mcp-header":"X"},"b":{"type":"string","x-mcp-header":"x"}}}`: "used for two parameters",
		`{"properties":["x-mcp-header"]}`:                                                                    "",
		`true`:                                                                                               "",
	} {
		found, err := annotations(jsontext.Value(schema))
		var list []string
		for _, a := range found {
			list = append(list, strings.Join(a.path, ".")+"="+a.header)
		}
		if got := strings.Join(list, " "); err == nil && got != want || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %s, %v; want %s", schema, got, err, want)
		}
	}
}

func TestMirror(t *testing.T) {
	list := []annotation{{[]string{"s"}, "S"}, {[]string{"o", "i"}, "I"}, {[]string{"b"}, "B"}}
	for arguments, want := range map[string]map[string]string{
		`{"s":"é","o":{"i":-7},"b":false,"other":1}`: {"Mcp-Param-S": "=?base64?w6k=?=", "Mcp-Param-I": "-7", "Mcp-Param-B": "false"},
		`{"s":"","o":{"i":4.2e1},"b":null}`:          {"Mcp-Param-S": "", "Mcp-Param-I": "42"},
		`{"s":{},"o":[1],"b":[true]}`:                {},
		`{"o":{"i":9007199254740993}}`:               {"Mcp-Param-I": "9007199254740993"},
		`{"o":{"i":1.5},"b":1e999999999,"s":1e400}`:  {},
		`{"o":7}`: {},
		``:        {},
	} {
		if got := headersFor(list, jsontext.Value(arguments)); !maps.Equal(got, want) {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
}

// A call repeats arguments in headers if its server requires that. If the server's tool list has
// changed, the client reads the list again.
func TestArgumentsInHeaders(t *testing.T) {
	t.Parallel()
	header := "Region"
	s := newSite(t, func(w http.ResponseWriter, v visit) {
		switch v.Method {
		case "server/discover":
			v.result(w, modern)
		case "tools/list":
			v.result(w, `{"tools":[{"name":"größe","inputSchema":{"properties":{"r":{"type":"string","x-mcp-header":"`+header+`"}}}},
				{"name":"bad","inputSchema":{"properties":{"r":{"type":"number","x-mcp-header":"R"}}}}]}`)
		case "tools/call":
			if v.header.Get("Mcp-Name") != "=?base64?Z3LDtsOfZQ==?=" {
				t.Errorf("Mcp-Name is %q", v.header.Get("Mcp-Name"))
			}
			if v.header.Get("Mcp-Param-Place") != "us west" {
				header = "Place"
				v.fail(w, 400, string(v.ID), `{"code":-32020,"message":"Mcp-Param-Place is missing"}`)
				return
			}
			v.result(w, finished)
		}
	})
	session, err := s.dial(t, patient, Options{})
	if err != nil {
		t.Fatal(err)
	}
	tools, _, err := session.Tools(t.Context())
	if err != nil || len(tools) != 2 || tools[0].Invalid != nil || tools[1].Invalid == nil {
		t.Errorf("%+v, %v", tools, err)
	}
	if _, err := session.Call(t.Context(), Call{Tool: "größe", Arguments: jsontext.Value(`{"r":"us west"}`)}); err != nil {
		t.Error(err)
	}
	if got := s.methods(); got != "server/discover tools/list tools/call tools/list tools/call" {
		t.Errorf("sent %s", got)
	}
	first := slices.IndexFunc(s.requests(), func(v visit) bool { return v.Method == "tools/call" })
	if got := s.requests()[first].header.Get("Mcp-Param-Region"); got != "us west" {
		t.Errorf("Mcp-Param-Region is %q", got)
	}
}
