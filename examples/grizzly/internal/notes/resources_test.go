package notes_test

import (
	"slices"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/notes"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jptest"
)

func TestResources(t *testing.T) {
	s := createShelf(t, kitchen()...)
	for _, w := range jptest.OfferWires() {
		t.Run(w.String(), func(t *testing.T) {
			kit := s.kitWith(t, jptest.Options{Wire: w})
			wantText(t, kit.Read(notes.NoteURI("STEW")).OK(t), "# Stew\nEats like a soup.\n100% beef, safe for all.\n")
			kit.Read(notes.NoteURI("GONE")).Failed(t, fault.NotFound)
			kit.Read(notes.NoteURI("SAFE")).Failed(t, fault.PermissionDenied)
			wantText(t, kit.Read(notes.TagURI("cooking/soups")).OK(t), `{"notes":[{"title":"Soup","uri":"bear://note/SOUP"}],"total":1}`)
			kit.Read(notes.TagURI("none")).Failed(t, fault.NotFound)
			if got := kit.Complete("tag", "tag", "SOUP", nil).Values; !slices.Equal(got, []string{"cooking/soups"}) {
				t.Errorf("tags with soup: %q", got)
			}
			if got := kit.Complete("note", "id", "dumplings", nil).Values; !slices.Equal(got, []string{"STEW"}) {
				t.Errorf("notes with dumplings: %q", got)
			}
			kit.Get("summarize_tag", notes.TagInput{Tag: "none"}).Failed(t, fault.NotFound)
			out := kit.Get("summarize_tag", notes.TagInput{Tag: "cooking"})
			if out.OK(t); len(out.Messages) != 3 || out.Messages[1].Block.(content.Link).URI != notes.NoteURI("SOUP") {
				t.Errorf("messages %+v", out.Messages)
			}
		})
	}
}

func TestResourcesWithoutALibrary(t *testing.T) {
	kit := jptest.NewWith(t, notes.NewServer(new(notes.Notes)), jptest.Options{Wire: jptest.MCP})
	kit.Read(notes.NoteURI("A")).Failed(t, fault.Unavailable)
	kit.Read(notes.TagURI("a")).Failed(t, fault.Unavailable)
	kit.Get("summarize_tag", notes.TagInput{Tag: "a"}).Failed(t, fault.Unavailable)
}
