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
		`note_get takes {"type":"object","properties":{"max_note_bytes":{"type":"integer","description":"Maximum number of bytes to return from one note.","minimum":1,"maximum":16777216,"default":262144}}}`,
		`note_search takes {"type":"object","properties":{"max_results":{"type":"integer","description":"Maximum number of matches to return.","minimum":1,"maximum":1000,"default":50}}}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("the contract says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// An asking is a call in which the tool asks one question, with the effect of each answer.
type asking struct {
	name, tool, arguments string
	notes                 []beartest.Note
	options               map[string]any // the options of the tool
	question              jptest.Question
	answer                any
	code                  fault.Code
	want, without         string // parts that the text or the message must contain, and must not contain
	created               bool
}

// Every question is asked once, with its documented id, values and default, and its answer has the documented
// effect. It is not asked if it was answered beforehand, and not asked again after an invalid answer or if
// it was declined.
func TestQuestions(t *testing.T) {
	for _, c := range slices.Concat(readingAsks(), creatingAsks()) {
		t.Run(c.name, func(t *testing.T) {
			t.Run("asked", func(t *testing.T) {
				s := createShelf(t, c.notes...)
				out := c.call(t, s, jptest.Options{}, jptest.Answer(c.question.ID, c.answer))
				c.check(t, s, out)
				if want := []jptest.Question{c.question}; !reflect.DeepEqual(out.Asked, want) || out.Runs != 2 {
					t.Errorf("in %d runs it asked\n%+v\nwant\n%+v", out.Runs, out.Asked, want)
				}
			})
			t.Run("answered beforehand", func(t *testing.T) {
				s := createShelf(t, c.notes...)
				out := c.call(t, s, jptest.Options{Answers: map[string]map[string]any{c.tool: {c.question.ID: c.answer}}})
				c.check(t, s, out)
				if len(out.Asked) != 0 || out.Runs != 2 { // JP looks up the answer when the question has been asked
					t.Errorf("in %d runs it asked %q", out.Runs, out.Questions())
				}
			})
			t.Run("answered wrong", func(t *testing.T) {
				s := createShelf(t, c.notes...)
				out := c.call(t, s, jptest.Options{}, jptest.Answer(c.question.ID, "perhaps"))
				message := out.Failed(t, fault.InvalidAnswer)
				if !strings.Contains(message, c.question.ID) || out.Runs != 2 || s.calls(t) != "" {
					t.Errorf("after %d runs: %q", out.Runs, message)
				}
			})
			t.Run("refused", func(t *testing.T) {
				s := createShelf(t, c.notes...)
				for how, refusal := range map[string]jptest.Reply{"declined": jptest.Decline(c.question.ID), "canceled": jptest.Cancel(c.question.ID)} {
					message := c.call(t, s, jptest.Options{Wire: jptest.MCP}, refusal).Failed(t, fault.InputDeclined)
					if !strings.Contains(message, how) || s.calls(t) != "" {
						t.Errorf("%s: %q", how, message)
					}
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

func booleanQuestion(id, text, preamble, value string) jptest.Question {
	q := jptest.Question{ID: id, Text: text, Preamble: preamble}
	if value != "" {
		q.Default = []byte(value)
	}
	return q
}

func choiceQuestion(id, text, preamble, value string, options ...string) jptest.Question {
	return jptest.Question{ID: id, Text: text, Preamble: preamble, Options: options, Default: []byte(`"` + value + `"`)}
}
