package elicit_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A model may have written parts of a question, and hosts print questions unchanged. An escape sequence must not
// reach the terminal of the person who consents.
func TestQuestionShowsWhatItContains(t *testing.T) {
	for name, tc := range map[string]struct {
		ask                      func(context.Context, questions) error
		message, lines, preamble string
	}{
		"message": {func(ctx context.Context, q questions) error {
			_, err := q.Sure.Ask(ctx, "Delete %s?", "plan\x1b[2J\u202etxt")
			return err
		}, `Delete plan\u{1b}[2J\u{202e}txt?`, `Delete plan\u{1b}[2J\u{202e}txt?`, ""},
		"message of two lines": {func(ctx context.Context, q questions) error {
			_, err := q.Sure.Ask(ctx, "Delete %s?", "a\r\nb\x1b[2J")
			return err
		}, `Delete a b\u{1b}[2J?`, "Delete a\nb\\u{1b}[2J?", ""},
		"preamble": {func(ctx context.Context, q questions) error {
			_, err := q.Sure.Preamble("a\tb\r\nc\rd\x1b[2J").Ask(ctx, "Delete?")
			return err
		}, "Delete?", "Delete?", "a\tb\nc\\u{d}d\\u{1b}[2J"},
		"blocks": {func(ctx context.Context, q questions) error {
			_, err := q.Sure.Show(content.Text{Text: "é 👩‍👩‍👧\x1b[2J"}).Ask(ctx, "Delete?")
			return err
		}, "Delete?", "Delete?", `é 👩‍👩‍👧\u{1b}[2J`},
	} {
		ended, _ := run(t, question.Run{}, tc.ask)
		pending, ok := errors.AsType[*question.Pending](ended)
		if !ok || pending.Questions[0].Message != tc.message ||
			pending.Questions[0].Lines() != tc.lines || pending.Questions[0].Preamble != tc.preamble {
			t.Errorf("%s: ended with %v, asked %+v", name, ended, pending)
		}
	}
}

// The values of a pick may come from anywhere, such as names of files.
func TestPickShowsWhatItContains(t *testing.T) {
	offered := []elicit.Option{{Value: "a\x1b[2J"}, {Value: "b", Title: "B\nb\u202e", Description: "the\x1b[2J second"}, {Value: "c"}}
	want := []elicit.Option{{Value: "a\x1b[2J", Title: `a\u{1b}[2J`}, {Value: "b", Title: `B b\u{202e}`, Description: `the\u{1b}[2J second`}, {Value: "c"}}
	var got string
	pick := func(ctx context.Context, q questions) (err error) {
		got, err = q.Note.Offer(offered...).Ask(ctx, "Which?")
		return err
	}
	ended, _ := run(t, question.Run{}, pick)
	pending, ok := errors.AsType[*question.Pending](ended)
	if !ok || !slices.Equal(pending.Questions[0].Options, want) || offered[0].Title != "" {
		t.Errorf("ended with %v, asked %+v", ended, pending)
	}
	if _, err := run(t, question.Run{Answers: acceptedAnswer("note", `"a\\u{1b}[2J"`)}, pick); err != nil || got != offered[0].Value {
		t.Errorf("the answer is %q, %v", got, err)
	}
}
