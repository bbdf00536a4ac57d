package render_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/render"
)

func ExampleMatches() {
	info := bear.Info{ID: "4F1C", Title: "Soup", Tags: []string{"a", "b"}, Modified: time.Date(2023, 3, 8, 22, 26, 41, 0, time.UTC)}
	old := bear.Info{ID: "77AA", Title: "Old", Archived: true}
	fmt.Println(render.Matches(bear.Result{Total: 7, Matches: []bear.Match{
		{Info: info, TotalHits: 3, Hits: []int{2, 5, 9}, Snippet: bear.Snippet{Line: 2, Text: "salt & <pepper>"}},
		{Info: old, TotalHits: 1},
	}}, "", 0))
	// Output:
	// <match note-id="4F1C" title="Soup" tags="a b" updated-at="2023-03-08 22:26:41" total-hits="3">
	//   <snippet line="2">salt &amp; &lt;pepper&gt;</snippet>
	//   <hits>2, 5, 9</hits>
	// </match>
	// <match note-id="77AA" title="Old" tags="" updated-at="unknown" total-hits="1" archived="true"/>
	// <info>Showing 2 of 7 notes that match. Narrow the search with queries or tags to see the others.</info>
}

func TestNoMatches(t *testing.T) {
	equal(t, "answer", render.Matches(bear.Result{}, "Try that.", 0), "<info>No notes match. Try that.</info>")
}

func TestMatchesCannotBeForged(t *testing.T) {
	for _, evil := range hostileTexts() {
		m := bear.Match{Info: bear.Info{ID: evil, Title: evil, Tags: []string{evil}}, Snippet: bear.Snippet{Line: 1, Text: evil}, TotalHits: 1, Hits: []int{1}}
		nodes := parse(t, render.Matches(bear.Result{Total: 1, Matches: []bear.Match{m}}, "", 0))
		if names(nodes) != "match" || names(nodes[0].nodes) != "snippet hits" {
			t.Fatalf("%q: elements %s", evil, names(nodes))
		}
		equal(t, "id", nodes[0].attrs["note-id"], replaceInvalid(evil))
		equal(t, "snippet", nodes[0].nodes[0].text, replaceInvalid(evil))
	}
}

func TestMatchesLimit(t *testing.T) {
	var r bear.Result
	for i := range 300 {
		r.Matches = append(r.Matches, bear.Match{Info: bear.Info{ID: fmt.Sprint(i)}, Snippet: bear.Snippet{Line: 1, Text: strings.Repeat("&", 200)}})
	}
	r.Total = 1000
	for _, limit := range []int{1, 10_000, 100_000} {
		answer := render.Matches(r, "", limit)
		if len(answer) > max(limit, 4<<10) {
			t.Errorf("limit %d: %d bytes", limit, len(answer))
		}
		shown := strings.Count(names(parse(t, answer)), "match")
		if want := fmt.Sprintf("Showing %d of 1000 notes", shown); !strings.Contains(answer, want) {
			t.Errorf("limit %d: does not say %q", limit, want)
		}
	}
}
