package engine_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk"
)

// pages returns the keys of all entries of a list, and the number of pages.
func pages(t testing.TB, ask door, method string) (keys []string, count int) {
	t.Helper()
	for params := ""; count < 200; {
		text := ask(t, method, params)
		var r struct {
			Result struct {
				Resources []struct {
					URI string `json:"uri"`
				} `json:"resources"`
				NextCursor string `json:"nextCursor"`
				CacheScope string `json:"cacheScope"`
			}
		}
		if err := json.Unmarshal([]byte(text), &r); err != nil || strings.Contains(text, `"error"`) {
			t.Fatalf("page %d: %s, %v", count, text, err)
		}
		for _, e := range r.Result.Resources {
			keys = append(keys, e.URI)
		}
		count++
		if r.Result.NextCursor == "" {
			return keys, count
		}
		params = fmt.Sprintf(`"cursor":%q`, r.Result.NextCursor)
	}
	t.Fatal("the list has no end")
	return nil, 0
}

// A list has the resources of the contract, then those of each template, each once, and every one can be read.
func TestListOfResources(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, ask := range doors(t, func() *sdk.Server { return notebook(25) }) {
		keys, _ := pages(t, ask, "resources/list")
		sorted := slices.Clone(keys)
		slices.Sort(sorted)
		if len(keys) != 3+25+250 || len(slices.Compact(sorted)) != len(keys) || keys[0] != "notes://about" {
			t.Errorf("%s: %d resources: %.300q", name, len(keys), keys)
		}
		for _, want := range []string{"note://n%2F24", "docs://readme.md", "docs://a%20b%25/%C3%A9.txt", "docs://d2/f245.go"} {
			if !slices.Contains(keys, want) {
				t.Errorf("%s: the list lacks %s", name, want)
			}
		}
		for i, uri := range keys {
			if i%9 > 0 && i > 30 {
				continue
			}
			if got := ask(t, "resources/read", fmt.Sprintf(`"uri":%q`, uri)); uri != "docs://big.bin" && !strings.Contains(got, `"contents":[{"uri":"`+uri+`"`) {
				t.Errorf("%s: reading %s: %s", name, uri, got)
			}
		}
		got := ask(t, "resources/list", "")
		var r struct{ Result struct{ NextCursor string } }
		if err := json.Unmarshal([]byte(got), &r); err != nil || r.Result.NextCursor == "" {
			t.Fatalf("%s: %s, %v", name, got, err)
		}
		cursor := fmt.Sprintf(`"cursor":%q`, r.Result.NextCursor)
		got = ask(t, "resources/list", cursor)
		for _, want := range []string{`{"uri":"note://n%2F0","name":"Note","mimeType":"text/markdown","size":3`} {
			if !strings.Contains(got, want) && !strings.Contains(got, `"uri":"docs://`) {
				t.Errorf("%s: %s lacks %s", name, got, want)
			}
		}
		for _, bad := range []string{cursor[:len(cursor)-3] + `"`, `"cursor":"x"`, `"cursor":7`} {
			if got := ask(t, "resources/list", bad); !strings.Contains(got, `"code":-32602`) {
				t.Errorf("%s: {%s}: %s", name, bad, got)
			}
		}
		if got := ask(t, "prompts/list", cursor); !strings.Contains(got, `"code":-32602`) {
			t.Errorf("%s: a cursor of another list: %s", name, got)
		}
	}
}

func TestFilesOfADirectory(t *testing.T) {
	for name, ask := range doors(t, func() *sdk.Server { return notebook(0) }) {
		for uri, want := range map[string]string{
			"docs://readme.md":           `"mimeType":"text/markdown","text":"# Docs"`,
			"docs://logo.png":            `"mimeType":"image/png","blob":"`,
			"docs://a%20b%25/%C3%A9.txt": `"text":"odd"`,
			"docs://big.bin":             `more than the limit of 16777216 bytes`,
			"docs://d0":                  `\"d0\" is a directory; read one of its files`,
			"docs://d0/":                 `the URI of a file does not end with a slash`,
			"docs://":                    `there is no`,
			"docs://.":                   `there is no`,
			"docs://d0/../readme.md":     `there is no`,
			"docs://d0%2Ff000.go":        `there is no`,
			"docs://d0//f000.go":         `there is no`,
			"docs:///readme.md":          `there is no`,
			"docs://readme.md%00":        `there is no`,
			"docs://readme.md/":          `there is no`,
			"docs://README.MD":           `there is no`,
			"docs://x%5C..%5Creadme.md":  `there is no`,
			"disk://files/../etc/passwd": `there is no`,
			"disk://files//etc/passwd":   `there is no`,
			"DOCS://readme.md":           `there is no`,
			"docs://readme.md#a":         `there is no`,
			"docs://%72eadme.md":         `there is no`,
			"docs://readme.md%":          `there is no`,
			"docs://readme.md%c3%a9":     `there is no`,
			"docs://ſ":                   `there is no`,
		} {
			if got := ask(t, "resources/read", fmt.Sprintf(`"uri":%q`, uri)); !strings.Contains(got, want) {
				t.Errorf("%s: %s: %.300s; want %s", name, uri, got, want)
			}
		}
	}
}

func TestCompletion(t *testing.T) {
	for name, ask := range doors(t, func() *sdk.Server { return notebook(0) }) {
		for _, tc := range []struct{ ref, argument, want string }{
			{`{"type":"ref/resource","uri":"note://7"}`, `{"name":"id","value":"b"}`, `"values":["b0","b1",`},
			{`{"type":"ref/resource","uri":"note://a/b"}`, `{"name":"id","value":"b"}`, `"code":-32602`},
			{`{"type":"ref/resource","uri":"notes://about"}`, `{"name":"id","value":"b"}`, `\"about\" has no argument \"id\"`},
			{`{"type":"ref/prompt","name":"summarize"}`, `{"name":"style","value":"LO"}`, `"completion":{"values":["long","longer"],"total":2,"hasMore":false}`},
			{`{"type":"ref/prompt","name":"summarize"}`, `{"name":"long","value":""}`, `"values":["true","false"]`},
			{`{"type":"ref/prompt","name":"summarize"}`, `{"name":"words","value":"1"}`, `"values":[],"total":0,"hasMore":false`},
			{`{"type":"ref/prompt","name":"summarize"}`, `{"name":"other","value":"1"}`, `"code":-32602,"message":"invalid params: \"summarize\" has no argument \"other\""`},
			{`{"type":"ref/prompt","name":"other"}`, `{"name":"id","value":"1"}`, `"code":-32602,"message":"invalid params: there is no prompt \"other\""`},
			{`{"type":"ref/resource","uri":"note://{id}"}`, `{"name":"id","value":"a"},"context":{"arguments":{"id":"x"}}`, `"values":["a0","a1",`},
			{`{"type":"ref/resource","uri":"note://{id}"}`, `{"name":"id","value":"a"}`, `"a99"],"total":250,"hasMore":true`},
			{`{"type":"ref/resource","uri":"note://{id}"}`, `{"name":"id","value":"none"}`, `"code":-32603,"message":"the store is down","data":{"code":"unavailable"`},
			{`{"type":"ref/resource","uri":"note://{x}"}`, `{"name":"id","value":"a"}`, `"code":-32602`},
			{`{"type":"ref/tool","name":"echo"}`, `{"name":"id","value":"a"}`, `"code":-32602`},
			{`7`, `{"name":"id","value":"a"}`, `"code":-32602`},
			{`{"type":"ref/prompt","name":"summarize"}`, `{"name":"style","value":7}`, `"code":-32602`},
			{`{"type":"ref/prompt","name":"summarize"}`, `{"name":"style","value":""},"context":{"arguments":[]}`, `"code":-32602`},
		} {
			if got := ask(t, "completion/complete", `"ref":`+tc.ref+`,"argument":`+tc.argument); !strings.Contains(got, tc.want) {
				t.Errorf("%s: %s %s:\n%s want %s", name, tc.ref, tc.argument, got, tc.want)
			}
		}
	}
}
