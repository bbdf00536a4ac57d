package notes_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
	"github.com/jptool/jptool/examples/grizzly/internal/notes"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/jptest"
)

func TestContract(t *testing.T) {
	var got []string
	for _, tool := range notes.NewServer(&notes.Notes{}).Contract().Tools {
		for _, q := range tool.Questions {
			got = append(got, fmt.Sprintf("%s asks %s: %s, default %s", tool.Name, q.ID, q.Kind, q.Default))
		}
		got = append(got, fmt.Sprintf("%s takes %s", tool.Name, strings.Join(strings.Fields(string(tool.Options)), " ")))
	}
	want := []string{
		"note_create asks confirm-create: confirm, default null",
		`note_create asks duplicate-title: choice, default "cancel"`,
		"note_create asks new-tag: pick, default null",
		`note_create takes {"type":"object","properties":{"auto_approve":{"type":"boolean","description":"Create notes without asking for confirmation."}}}`,
		"note_get asks confirm-large: confirm, default false",
		"note_get asks pick-note: pick, default null",
		`note_get takes {"type":"object","properties":{"max_note_bytes":{"type":"integer","description":"The most bytes of one note to return.","minimum":1,"maximum":16777216,"default":262144}}}`,
		`note_search takes {"type":"object","properties":{"max_results":{"type":"integer","description":"The most matches to return.","minimum":1,"maximum":1000,"default":50}}}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("the contract says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// asking is a call that asks one question, and what becomes of an answer.
type asking struct {
	name, tool, arguments string
	notes                 []beartest.Note
	options               map[string]any // of the tool
	question              wire.Question
	answer                any
	code                  fault.Code
	want, without         string // in the text or the message, or not
	created               bool
}

// Every question is asked once, with the id, the type and the default that users
// know it by, and its answer is honoured. It is not asked where it was answered
// beforehand, and asked no more after a wrong answer.
func TestQuestions(t *testing.T) {
	for _, c := range slices.Concat(readingAsks(), creatingAsks()) {
		t.Run(c.name, func(t *testing.T) {
			t.Run("asked", func(t *testing.T) {
				s := shelve(t, c.notes...)
				out := c.call(t, s, jptest.Options{}, jptest.Answer(c.question.ID, c.answer))
				c.check(t, s, out)
				if want := []wire.Question{c.question}; !reflect.DeepEqual(out.Asked, want) || out.Runs != 2 {
					t.Errorf("in %d runs it asked\n%+v\nwant\n%+v", out.Runs, out.Asked, want)
				}
			})
			t.Run("answered beforehand", func(t *testing.T) {
				s := shelve(t, c.notes...)
				out := c.call(t, s, jptest.Options{Answers: map[string]map[string]any{c.tool: {c.question.ID: c.answer}}})
				c.check(t, s, out)
				if len(out.Asked) != 0 || out.Runs != 1 {
					t.Errorf("in %d runs it asked %q", out.Runs, out.Questions())
				}
			})
			t.Run("answered wrong", func(t *testing.T) {
				s := shelve(t, c.notes...)
				out := c.call(t, s, jptest.Options{}, jptest.Answer(c.question.ID, "perhaps"))
				message := out.Failed(t, fault.InvalidAnswer)
				if !strings.Contains(message, c.question.ID) || out.Runs != 2 || s.calls(t) != "" {
					t.Errorf("after %d runs: %q", out.Runs, message)
				}
			})
			t.Run("dismissed", func(t *testing.T) {
				s := shelve(t, c.notes...)
				out := c.call(t, s, jptest.Options{}, jptest.Dismiss(c.question.ID))
				if !out.Dismissed || out.Runs != 1 || s.calls(t) != "" {
					t.Errorf("dismissed: %t, %d runs", out.Dismissed, out.Runs)
				}
			})
		})
	}
}

func (c asking) call(t *testing.T, s shelf, o jptest.Options, script ...jptest.Reply) jptest.Outcome {
	t.Helper()
	if c.options != nil {
		o.ToolOptions = map[string]any{c.tool: c.options}
	}
	return s.kitWith(t, o).Call(c.tool, raw("%s", c.arguments), script...)
}

func (c asking) check(t *testing.T, s shelf, out jptest.Outcome) {
	t.Helper()
	told := out.Text + out.Message
	if out.Code != c.code || !strings.Contains(told, c.want) || c.without != "" && strings.Contains(told, c.without) {
		t.Errorf("ended with code %q and %.500q; want %q and %q but not %q", out.Code, told, c.code, c.want, c.without)
	}
	if created := s.calls(t) != ""; created != c.created {
		t.Errorf("created: %t, want %t", created, c.created)
	}
}

func yesOrNo(id, text, preamble, value string) wire.Question {
	q := wire.Question{ID: id, Text: text, PreAmble: preamble, AnswerType: wire.AnswerType{Kind: wire.Boolean}}
	if value != "" {
		q.Default = []byte(value)
	}
	return q
}

func oneOf(id, text, preamble, value string, options ...string) wire.Question {
	return wire.Question{ID: id, Text: text, PreAmble: preamble, Default: []byte(`"` + value + `"`),
		AnswerType: wire.AnswerType{Kind: wire.Select, Options: options}}
}
