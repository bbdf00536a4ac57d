package render_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/render"
)

func text(id, body string) bear.Note {
	return bear.Note{Info: bear.Info{ID: id}, Body: bear.Body{Text: body}}
}

func ExampleNotes() {
	soup := bear.Note{
		Info: bear.Info{ID: "4F1C", Title: `Soup & "bread"`, Tags: []string{"cooking", "this week"}, Modified: time.Date(2023, 3, 8, 22, 26, 41, 0, time.UTC)},
		Body: bear.Body{Text: "# Soup\n\n2 < 3 onions", Total: 3},
	}
	lines := bear.Note{
		Info: bear.Info{ID: "77AA", Archived: true},
		Body: bear.Body{Lines: []bear.Line{{Number: 7, Text: "seven"}, {Number: 1234, Text: ""}}, Total: 2000},
	}
	fmt.Println(render.Notes([]bear.Note{soup, lines}, []string{"NOPE"}, 0))
	// Output:
	// <note id="4F1C" title="Soup &amp; &quot;bread&quot;" tags="cooking #this week#" updated-at="2023-03-08 22:26:41">
	// <![CDATA[# Soup
	//
	// 2 < 3 onions]]>
	// </note>
	// <note id="77AA" title="" tags="" updated-at="unknown" archived="true">
	// <![CDATA[007: seven
	// 1234: ]]>
	// </note>
	// <missing id="NOPE"/>
}

func TestNotesCannotBeForged(t *testing.T) {
	for _, evil := range hostileTexts() {
		n := text(evil, evil)
		n.Title, n.Tags = evil, []string{evil}
		lines := bear.Note{Info: n.Info, Body: bear.Body{Lines: []bear.Line{{Number: 1, Text: evil}}}}
		nodes := parse(t, render.Notes([]bear.Note{n, lines}, []string{evil}, 0))
		if got := names(nodes); got != "note note missing" {
			t.Fatalf("%q: elements %s", evil, got)
		}
		for _, node := range nodes[:2] {
			equal(t, "id", node.attrs["id"], replaceInvalid(evil))
			equal(t, "title", node.attrs["title"], replaceInvalid(evil))
		}
		equal(t, "text", nodes[0].text, "\n"+replaceInvalid(evil)+"\n")
		equal(t, "lines", nodes[1].text, "\n001: "+replaceInvalid(evil)+"\n")
		equal(t, "missing", nodes[2].attrs["id"], replaceInvalid(evil))
	}
}

func TestNoteAttributes(t *testing.T) {
	long := text("A", "")
	long.Title = strings.Repeat("ä", 5000)
	long.Encrypted = true
	node := parse(t, render.Notes([]bear.Note{long}, nil, 0))[0]
	equal(t, "title", node.attrs["title"], strings.Repeat("ä", 300)+"…")
	equal(t, "encrypted", node.attrs["encrypted"], "true")
	if _, ok := node.attrs["archived"]; ok {
		t.Error("archived stands there")
	}
	equal(t, "nothing", render.Notes(nil, nil, 0), "")
}

func TestCutNoteSaysHowToGoOn(t *testing.T) {
	n := text("A", "first")
	n.Body.Total, n.Body.Next, n.Body.Clipped = 90, 41, 40
	nodes := parse(t, render.Notes([]bear.Note{n}, nil, 0))
	equal(t, "elements", names(nodes), "note info info")
	equal(t, "clipped", nodes[1].text, "Line 40 of note A is too long for a result and has been shortened.")
	equal(t, "next", nodes[2].text, `Note A has 90 lines and is truncated before line 41. Request it again with lines "41-90" to see more.`)
}

func TestNotesLimit(t *testing.T) {
	var notes []bear.Note
	var missing []string
	for i := range 500 {
		notes = append(notes, text(fmt.Sprintf("N%03d", i), strings.Repeat("]]>", 1000)))
		missing = append(missing, strings.Repeat("\"", 200)+fmt.Sprint(i))
	}
	notes = append(notes, text("SMALL", "fits beside the large ones"), text(strings.Repeat("&", 250), strings.Repeat("x", 1<<20)))
	for _, limit := range []int{1, 10_000, 100_000, 1 << 20, 0} {
		answer := render.Notes(notes, missing, limit)
		most := limit
		switch {
		case limit == 0:
			most = render.DefaultLimit
		case limit < 8<<10:
			most = 8 << 10 // the remarks always fit
		}
		if len(answer) > most {
			t.Errorf("limit %d: %d bytes", limit, len(answer))
		}
		nodes := parse(t, answer)
		shown := strings.Count(names(nodes), "note")
		if want := fmt.Sprintf("Showing %d of %d notes", shown, len(notes)); !strings.Contains(answer, want) {
			t.Errorf("limit %d: does not say %q", limit, want)
		}
		if !strings.Contains(answer, "more ids are missing") {
			t.Errorf("limit %d: does not say that ids are missing", limit)
		}
	}
}
