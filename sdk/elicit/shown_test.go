package elicit_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A model may have written parts of a question, and hosts print questions unchanged. An escape sequence must not
// reach the terminal of the person who consents.
func TestQuestionShowsWhatItContains(t *testing.T) {
	for name, tc := range map[string]struct {
		ask               func(context.Context, questions) error
		message, preamble string
	}{
		"message": {func(ctx context.Context, q questions) error {
			_, err := q.Sure.Ask(ctx, "Delete %s?", "plan\x1b[2J\u202etxt")
			return err
		}, `Delete plan\u{1b}[2J\u{202e}txt?`, ""},
		"message of two lines": {func(ctx context.Context, q questions) error {
			_, err := q.Sure.Ask(ctx, "Delete %s?", "a\r\nb\x1b[2J")
			return err
		}, `Delete a b\u{1b}[2J?`, "Delete a\nb\\u{1b}[2J?"},
		"preamble": {func(ctx context.Context, q questions) error {
			_, err := q.Sure.Preamble("a\tb\r\nc\rd\x1b[2J").Ask(ctx, "Delete?")
			return err
		}, "Delete?", "a\tb\nc\\u{d}d\\u{1b}[2J"},
		"blocks": {func(ctx context.Context, q questions) error {
			_, err := q.Sure.Show(content.Text{Text: "é 👩‍👩‍👧\x1b[2J"}).Ask(ctx, "Delete?")
			return err
		}, "Delete?", `é 👩‍👩‍👧\u{1b}[2J`},
	} {
		ended, _ := run(t, question.Run{}, tc.ask)
		pending, ok := errors.AsType[*question.Pending](ended)
		if !ok || pending.Questions[0].Message != tc.message || pending.Questions[0].Preamble != tc.preamble {
			t.Errorf("%s: ended with %v, asked %+v", name, ended, pending)
		}
	}
}
