package uris_test

import (
	"maps"
	"testing"

	"github.com/jptool/jptool/internal/uris"
)

func TestMatch(t *testing.T) {
	for _, tc := range []struct {
		template, uri string
		want          map[string]string // nil if the URI does not match
	}{
		{"note://{id}", "note://7", map[string]string{"id": "7"}},
		{"note://{id}", "note://a%2Fb", map[string]string{"id": "a/b"}},
		{"note://{id}", "note://a/b", nil},
		{"note://{id}", "note://%61", nil}, // expands to note://a
		{"docs://{+path}", "docs://a/b.md", map[string]string{"path": "a/b.md"}},
		{"note://{id}", "other://7", nil},
	} {
		template, err := uris.Parse(tc.template)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := template.Match(tc.uri)
		if ok != (tc.want != nil) || ok && !maps.Equal(byName(got), tc.want) {
			t.Errorf("%s matches %s: %v, %t; want %v", tc.template, tc.uri, got, ok, tc.want)
		}
	}
}

func byName(values []uris.Value) map[string]string {
	all := map[string]string{}
	for _, v := range values {
		all[v.Variable] = v.Text
	}
	return all
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"note://{id*}", "note://{id:3}", "note://{id", "note://{}"} {
		if _, err := uris.Parse(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}
