package notes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jptest"
)

// equalTitles returns notes whose titles are equal except for case and white space.
func equalTitles() []beartest.Note {
	return append(kitchen(),
		beartest.Note{ID: "TWIN1", Title: "Twins", Modified: beartest.Day(2000), Tags: []string{"cooking", "work/ops"}, Text: "first"},
		beartest.Note{ID: "TWIN2", Title: "twins ", Text: "second"},
	)
}

// largeNotes returns notes of 1.2 MiB in total.
func largeNotes() []beartest.Note {
	var all []beartest.Note
	for i := range 6 {
		all = append(all, beartest.Note{ID: fmt.Sprint("LARGE", i), Text: strings.Repeat("0123456789abcde\n", 200<<10/16)})
	}
	return all
}

func readingAsks() []asking {
	const sixLarge = `{"ids":["LARGE0","LARGE1","LARGE2","LARGE3","LARGE4","LARGE5"]}`
	confirmLarge := booleanQuestion("confirm-large", "Return 1.2 MiB of notes?", "", "false")
	pickNote := choiceQuestion("pick-note", `No note has the id "TWINS", but 2 notes have that title. Which one did you mean?`, "", "none of these",
		"Twins [TWIN1] #cooking #work/ops, changed 2024-05-02", "twins  [TWIN2]", "none of these")
	pickSoup := choiceQuestion("pick-note", `No note has the id "soup", but one note has that title. Did you mean this note?`, "", "none of these",
		"Soup [SOUP] #cooking #cooking/soups #this week, changed 2024-05-01", "none of these")
	return []asking{
		{name: "confirm-large, no", tool: "note_get", arguments: sixLarge, notes: largeNotes(), question: confirmLarge, answer: false,
			code: fault.InputDeclined, want: "request fewer ids, or set lines", without: "0123456789"},
		{name: "confirm-large, yes", tool: "note_get", arguments: sixLarge, notes: largeNotes(), question: confirmLarge, answer: true,
			want: `Request it again with lines "`, without: `<note id="LARGE5"`},
		{name: "pick-note, none", tool: "note_get", arguments: `{"ids":["TWINS"]}`, notes: equalTitles(), question: pickNote, answer: "none of these",
			want: `<missing id="TWINS"/>`, without: "<note"},
		{name: "pick-note, one", tool: "note_get", arguments: `{"ids":["TWINS","SOUP"]}`, notes: equalTitles(), question: pickNote, answer: "twins  [TWIN2]",
			want: "<![CDATA[second]]>\n</note>\n" + soup, without: "TWINS"},
		{name: "pick-note, the only one", tool: "note_get", arguments: `{"ids":["soup"]}`, notes: kitchen(), question: pickSoup,
			answer: "Soup [SOUP] #cooking #cooking/soups #this week, changed 2024-05-01", want: soup},
	}
}

func creatingAsks() []asking {
	confirm := booleanQuestion("confirm-create", `Create the note "T" with the tags "this week", "x"?`,
		"# T\nTags: this week, x\n\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n…", "")
	duplicate := choiceQuestion("duplicate-title", `A note called "Soup" already exists. Create another one, show the existing one, or cancel?`,
		"Soup [SOUP] #cooking #cooking/soups #this week, changed 2024-05-01\n\n"+
			"create another: Create a second note with that title.\nshow the existing one: Create nothing and return the existing note.\ncancel: Create nothing.",
		"cancel", "create another", "show the existing one", "cancel")
	newTag := choiceQuestion("new-tag", `The tag "Cooking" is new, but similar to an existing one. Which tag should the note have?`, "", "Cooking",
		"Cooking", "cooking", "cooking/soups")
	const twelveLines = `{"title":"T","tags":["this week","x"],"content":"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"}`
	approve := map[string]any{"auto_approve": true}
	return []asking{
		{name: "confirm-create, no", tool: "note_create", arguments: twelveLines, notes: kitchen(), question: confirm, answer: false,
			code: fault.InputDeclined, want: `the note "T" was not created, because the question was declined`},
		{name: "confirm-create, yes", tool: "note_create", arguments: twelveLines, notes: kitchen(), question: confirm, answer: true,
			want: `Created the note "T" with the id NEW.`, created: true},
		{name: "duplicate-title, cancel", tool: "note_create", arguments: `{"title":" soup "}`, notes: kitchen(), options: approve,
			question: duplicate, answer: "cancel",
			code: fault.Conflict, want: `no note was created: a note with the title "Soup" already exists, with the id SOUP`},
		{name: "duplicate-title, show", tool: "note_create", arguments: `{"title":"soup"}`, notes: kitchen(), options: approve,
			question: duplicate, answer: "show the existing one",
			want: "<info>Nothing was created. A note with that title already exists:</info>\n" + soup},
		{name: "duplicate-title, another", tool: "note_create", arguments: `{"title":"soup"}`, notes: kitchen(), options: approve,
			question: duplicate, answer: "create another", want: `Created the note "soup" with the id NEW.`, created: true},
		{name: "new-tag, as it is", tool: "note_create", arguments: `{"title":"T","tags":["Cooking"]}`, notes: kitchen(), options: approve,
			question: newTag, answer: "Cooking", want: "Created", created: true},
		{name: "new-tag, the other", tool: "note_create", arguments: `{"title":"T","tags":["Cooking","cooking","#Cooking"]}`, notes: kitchen(), options: approve,
			question: newTag, answer: "cooking", want: "Created", created: true},
	}
}

func TestTagsAsPicked(t *testing.T) {
	for pick, want := range map[string]string{"Cooking": "%0A%23Cooking%20%23cooking%20%23x%0A", "cooking": "%0A%23cooking%20%23x%0A"} {
		s := createShelf(t, kitchen()...)
		out := s.kitWith(t, approved).Call("note_create", raw(`{"title":"T","tags":["Cooking","cooking","x"]}`), jptest.Answer("new-tag", pick))
		out.OK(t)
		if calls := s.calls(t); !strings.Contains(calls, want) {
			t.Errorf("Bear was asked for %s, want %s in it", calls, want)
		}
	}
}

// Questions are asked one at a time on every wire, and answered questions are not asked again.
func TestQuestionsInTurn(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			s := createShelf(t, equalTitles()...)
			kit := s.kitWith(t, jptest.Options{Wire: wire})
			out := kit.Call("note_get", raw(`{"ids":["twins","Soup"]}`),
				jptest.Answer("pick-note", "twins  [TWIN2]"), jptest.Answer("pick-note-Soup", "none of these"))
			if want := []string{"pick-note", "pick-note-Soup"}; !slices.Equal(out.Questions(), want) {
				t.Errorf("it asked %q, want %q", out.Questions(), want)
			}
			wantText(t, out.OK(t), `<note id="TWIN2" title="twins " tags="" updated-at="unknown">`+"\n<![CDATA[second]]>\n</note>\n"+`<missing id="Soup"/>`+"\n"+
				`<info>No note has the id "Soup". A note with that title exists: Soup [SOUP] #cooking #cooking/soups #this week, changed 2024-05-01</info>`)

			out = kit.Call("note_create", raw(`{"title":"Soup","tags":["Cooking","THIS WEEK","cooking/Soups"]}`),
				jptest.Answer("duplicate-title", "create another"), jptest.Answer("new-tag", "cooking"),
				jptest.Answer("new-tag-cooking_Soups", "cooking/Soups"), jptest.Answer("new-tag-THIS_WEEK", "this week"), jptest.Answer("confirm-create", true))
			wantText(t, out.OK(t), `Created the note "Soup" with the id NEW.`)
			want := []string{"duplicate-title", "new-tag", "new-tag-THIS_WEEK-", "new-tag-cooking_Soups-", "confirm-create"}
			begins := func(id, with string) bool { return strings.HasPrefix(id, with) } // an id may end with a digest
			if !slices.EqualFunc(out.Questions(), want, begins) {
				t.Errorf("it asked %q, want %q", out.Questions(), want)
			}
			if calls := s.calls(t); strings.Count(calls, "\n") != 1 || !strings.Contains(calls, "%23cooking%20%23this%20week%23%20%23cooking%2FSoups%0A") {
				t.Errorf("Bear was asked for %s", calls)
			}
		})
	}
}

// A model that sends a thousand titles must not cause a thousand questions to the user.
func TestQuestionsAreBounded(t *testing.T) {
	var content []beartest.Note
	var ids []string
	for i := range 30 {
		content = append(content, beartest.Note{Title: fmt.Sprint("title", i)})
		ids = append(ids, fmt.Sprintf(`"title%d"`, i))
	}
	out := createShelf(t, content...).kit(t).Call("note_get", raw(`{"ids":[%s]}`, strings.Join(ids, ",")), jptest.Answer("pick-note", "none of these"))
	if len(out.Asked) != 10 || strings.Count(out.OK(t), "<missing ") != 30 {
		t.Errorf("%d questions, %s", len(out.Asked), out.Text)
	}
}
