package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

// With --jp, the result of every call is one text block with an outcome, and isError is set for errors only.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	h := start(t, jphost.Options{}, command(t, nil, "--jp", "--note-create", "--opener", "none", "--db", createLibrary(t, beartest.Layout{}, wineNote())))
	for _, c := range []struct{ name, tool, arguments, raw string }{
		{"an error", "note_get", `{"ids":[]}`,
			`{"type":"error","message":"invalid_input: argument ids: expected a list of 1 to 1000 items, got an empty list","trace":[],"transient":false}`},
		{"no such tool", "note_delete", `{}`,
			`{"type":"error","message":"not_found: there is no tool \"note_delete\"; the tools are note_create, note_get, note_search","trace":[],"transient":false}`},
		{"nothing found", "note_search", `{"queries":["beer"]}`, `{"type":"success","content":"<info>No notes match. Call note_search with {} (1 note, newest first). The tags are \"cellar\".</info>"}`},
		{"a question", "note_create", `{"title":"T"}`,
			`{"type":"needs_input","question":{"id":"confirm-create","text":"Create the note \"T\"?","pre_amble":"# T","answer_type":{"type":"boolean"},"default":null}}`},
		{"a question with a default", "note_create", `{"title":"Wine"}`,
			`{"type":"needs_input","question":{"id":"duplicate-title","text":"A note called \"Wine\" already exists. Create another one, show the existing one, or cancel?",` +
				`"pre_amble":"Wine [WINE] #cellar, changed 2024-05-01\n\ncreate another: Create a second note with that title.\nshow the existing one: Create nothing and return the existing note.\ncancel: Create nothing.","answer_type":{"type":"select","options":["create another","show the existing one","cancel"]},"default":"cancel"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var result struct {
				Content []struct{ Type, Text string }
				IsError bool
			}
			if err := json.Unmarshal(call(t, h, c.tool, c.arguments).Raw, &result); err != nil {
				t.Fatal(err)
			}
			if len(result.Content) != 1 || result.Content[0].Type != "text" || result.IsError != strings.HasPrefix(c.raw, `{"type":"error"`) {
				t.Fatalf("the result is %+v", result)
			}
			if got := result.Content[0].Text; got != c.raw {
				t.Errorf("the outcome is\n%s\nwant\n%s", got, c.raw)
			}
		})
	}
}

func TestTools(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want []string
	}{
		{nil, []string{"note_get", "note_search"}},
		{[]string{"--note-create"}, []string{"note_create", "note_get", "note_search"}},
		{[]string{"--note-create=false", "--jp"}, []string{"note_get", "note_search"}},
	} {
		h := start(t, jphost.Options{}, command(t, nil, c.args...))
		names, err := h.Tools(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%v: tools %q, want %q", c.args, names, c.want)
		}
		if len(c.want) == 2 {
			// Without --jp, this is a protocol error, and a JP host shows the same text for every
			// such error.
			want := "Failed to run tool from MCP client"
			if slices.Contains(c.args, "--jp") {
				want = "not_found: there is no tool "
			}
			wantReply(t, call(t, h, "note_create", `{"title":"T"}`), jphost.Error, want)
		}
	}
}

// If the host keeps the answers, each question is asked once, and Bear is asked to create the note.
func TestCreateForAJPHost(t *testing.T) {
	t.Parallel()
	db, self := createLibrary(t, beartest.Layout{}, wineNote()), os.Args[0]
	asked := filepath.Join(t.TempDir(), "asked")
	h := start(t, jphost.Options{}, command(t, []string{bearNotes + "=" + asked}, "--jp", "--note-create", "--opener", self, "--db", db))
	var ids []string
	reply, err := h.Call(context.Background(), "note_create", json.RawMessage(`{"title":"Port","tags":["Cellar"],"content":"$(id)"}`),
		func(_ context.Context, q jpdoc.Question) (json.RawMessage, error) {
			ids = append(ids, q.ID)
			answer, ok := map[string]string{"new-tag": `"cellar"`, "confirm-create": "true"}[q.ID]
			if !ok {
				return nil, errors.New("a question too many")
			}
			return json.RawMessage(answer), nil
		})
	if err != nil {
		t.Fatal(err)
	}
	wantReply(t, reply, jphost.OK, `Bear was asked to create the note "Port", but`)
	if want := []string{"new-tag", "confirm-create"}; !slices.Equal(ids, want) || reply.Rounds != 3 {
		t.Errorf("in %d rounds it asked %q, want %q", reply.Rounds, ids, want)
	}
	wantAsked(t, asked, "bear://x-callback-url/create?text=%23%20Port%0A%23cellar%0A%0A%24%28id%29&open_note=no&show_window=no")
}

// wantAsked compares the URL that Bear received; "" means that it received none.
func wantAsked(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil && (want != "" || !os.IsNotExist(err)) {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("Bear was asked for %q, want %q", got, want)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	db := createLibrary(t, beartest.Layout{}, wineNote(), beartest.Note{ID: "BEER", Title: "Beer", Text: "light"})
	approved := func(t *testing.T, o jphost.Options, settings []string, args ...string) {
		t.Helper()
		t.Parallel() // each subtest waits for a note that never appears
		asked := filepath.Join(t.TempDir(), "asked")
		args = append(args, "--jp", "--note-create", "--opener", os.Args[0], "--db", db)
		h := start(t, o, command(t, append(settings, bearNotes+"="+asked), args...))
		wantReply(t, call(t, h, "note_create", `{"title":"T"}`), jphost.OK, `Bear was asked to create the note "T", but`)
		wantAsked(t, asked, "bear://x-callback-url/create?text=%23%20T%0A%0A%0A&open_note=no&show_window=no")
	}
	t.Run("a flag", func(t *testing.T) { approved(t, jphost.Options{}, nil, "--option", "note_create.auto_approve=true") })
	t.Run("the environment", func(t *testing.T) { approved(t, jphost.Options{}, []string{"GRIZZLY_NOTE_CREATE_AUTO_APPROVE=true"}) })
	t.Run("the host", func(t *testing.T) {
		approved(t, jphost.Options{ToolOptions: map[string]json.RawMessage{"note_create": json.RawMessage(`{"auto_approve":true}`)}}, nil)
	})
	t.Run("a configured answer", func(t *testing.T) {
		approved(t, jphost.Options{Answers: map[string]map[string]json.RawMessage{"note_create": {"confirm-create": json.RawMessage("true")}}}, nil)
	})
	t.Run("a flag wins over the environment, the host over both", func(t *testing.T) {
		settings := []string{"GRIZZLY_NOTE_SEARCH_MAX_RESULTS=2", "GRIZZLY_NOTE_GET_MAX_NOTE_BYTES=7"}
		args := []string{"--db", db, "--option", "note_search.max_results=1"}
		h := start(t, jphost.Options{}, command(t, settings, args...))
		wantReply(t, call(t, h, "note_search", `{}`), jphost.OK, "Showing 1 of 2 notes that match.")
		wantReply(t, call(t, h, "note_get", `{"ids":["WINE"]}`), jphost.OK, "is truncated before line 2.")
		h = start(t, jphost.Options{ToolOptions: map[string]json.RawMessage{"note_search": json.RawMessage(`{"max_results":2}`)}}, command(t, settings, args...))
		if reply := call(t, h, "note_search", `{}`); strings.Contains(reply.Text, "Showing") {
			t.Errorf("the host's option does not count: %s", reply.Text)
		}
	})
}
