package model

import (
	"math/rand/v2"
	"testing"

	"github.com/jptool/jptool/internal/uris"
)

func TestOverlap(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"note://{id}", "note://{name}", true},
		{"note://{id}", "tags://{id}", false},
		{"note://{id}/a", "note://{id}/b", false},
		{"note://{id}/a", "note://a/{id}", true},
		{"note://{id}/ab", "note://cd/{id}", true},
		{"n://{a}/{b}", "n://{a}", false},
		{"n://{+a}", "n://{a}/{b}", true},
		{"n://{a}", "n://{a}{?q}", true},
		{"n://a{?q}", "n://b{?q}", false},
		{"n://{a}{/b}", "n://{a}{.b}", true},
		{"n://x{/b}", "n://x{?b}", true}, // both match n://x
		{"n://x{/b}/z", "n://x{?b}/z", true},
		{"n://x/{b}/z", "n://x/{b}/y", false},
		{"n://{a,b}", "n://{a}", true},
		{"n://a{;x}", "n://ab{;x}", false},
	} {
		if got := overlap(tc.a, tc.b); got != tc.want {
			t.Errorf("%s and %s: %t", tc.a, tc.b, got)
		}
		if got := overlap(tc.b, tc.a); got != tc.want {
			t.Errorf("%s and %s: %t", tc.b, tc.a, got)
		}
	}
}

// No two templates match the same URI unless they overlap.
func TestOverlapIsSound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "b", "/", "{x}", "{y}", "{+x}", "{.x}", "{/x}", "{;x}", "{?x}", "{&x}", "{x,y}", "{+x,y}", "{/x,y}", "{?x,y}"}
	values := []string{"", "a", "b", "/", "a/b", ".", ",", "?", "é", "%", "a,b"}
	var all []string
	for range 400 {
		text := "n:"
		for range 1 + random.IntN(4) {
			text += parts[random.IntN(len(parts))]
		}
		all = append(all, text)
	}
	matched := 0
	for range 8000 {
		a, b := all[random.IntN(len(all))], all[random.IntN(len(all))]
		first, err := uris.Parse(a)
		if err != nil {
			t.Fatal(err)
		}
		second, err := uris.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		given := map[string]string{}
		for _, name := range first.Variables() {
			if v := random.IntN(len(values) + 1); v > 0 {
				given[name] = values[v-1]
			}
		}
		uri, err := first.Expand(given)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := first.Match(uri); !ok {
			continue
		}
		if _, ok := second.Match(uri); ok {
			matched++
			if !overlap(a, b) {
				t.Errorf("%s and %s match %s", a, b, uri)
			}
		}
	}
	if matched < 100 {
		t.Errorf("only %d URIs matched twice", matched)
	}
}
