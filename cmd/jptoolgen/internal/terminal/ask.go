package terminal

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/term"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/question"
)

var (
	// ErrCanceled reports that the person did not answer. A call ends without a result if its wire format cannot
	// report this to the tool.
	ErrCanceled = errors.New("the question was not answered")
	// ErrDeclined reports that the person declined to answer. It wraps [ErrCanceled].
	ErrDeclined = fmt.Errorf("%w: declined", ErrCanceled)
)

// Decline is the line that declines a question.
const Decline = ":decline"

// tries is the maximum number of answers that are read for one question.
const tries = 10

// An Asker asks questions at a terminal, one at a time.
type Asker struct {
	in       *bufio.Reader
	keyboard *os.File // the terminal that in reads from, or nil if in is not a terminal
	out      io.Writer
	page     Page
}

// NewAsker returns an Asker that reads lines from in and writes questions to out.
func NewAsker(in io.Reader, out io.Writer) *Asker {
	a := &Asker{in: bufio.NewReader(in), out: out, page: PageOf(out)}
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		a.keyboard = f
	}
	return a
}

// An inputLine is a line of input, or the error that ended the input.
type inputLine struct {
	text string
	err  error
}

// line prints a prompt and returns the line that the person types. If hidden is set, the terminal does not show
// the line. If ctx is done first, the goroutine that reads the line remains until the line is complete.
func (a *Asker) line(ctx context.Context, prompt string, hidden bool) (string, error) {
	read := func() (string, error) { return a.in.ReadString('\n') }
	if hidden = hidden && a.keyboard != nil; hidden {
		fd := int(a.keyboard.Fd())
		state, err := term.MakeRaw(fd) // called before the prompt, because the person types after it
		if err != nil {
			return "", fmt.Errorf("disabling terminal echo: %w", err)
		}
		defer func() {
			_ = term.Restore(fd, state)
			_, _ = fmt.Fprintln(a.out)
		}()
		if a.in.Buffered() == 0 {
			read = func() (string, error) {
				text, err := term.ReadPassword(fd)
				return string(text), err
			}
		}
	}
	if _, err := fmt.Fprint(a.out, prompt); err != nil {
		return "", err
	}
	answer := make(chan inputLine, 1)
	go func() {
		text, err := read()
		if err != nil && text != "" {
			err = nil // the last line has no newline
		}
		answer <- inputLine{strings.TrimRight(text, "\r\n"), err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case got := <-answer:
		if got.err != nil && !hidden {
			_, _ = fmt.Fprintln(a.out) // end the line of the prompt
		}
		if got.err != nil {
			return "", ErrCanceled
		}
		return got.text, nil
	}
}

// Say prints text before a question.
func (a *Asker) Say(text string) {
	if text != "" {
		_, _ = fmt.Fprintln(a.out, a.page.Wrap(text, ""))
	}
}

// Confirm asks for yes or no. An empty line means no.
func (a *Asker) Confirm(ctx context.Context, question string) (bool, error) {
	v, err := a.Value(ctx, question, shape.Schema{Types: []string{"boolean"}, Default: jsontext.Value("false")}, true)
	return string(v) == "true", err
}

// Value asks for one value. An empty line selects the default of the schema, if it has one. Without a default,
// Value asks again, or returns nil if the value is not required.
func (a *Asker) Value(ctx context.Context, question string, s shape.Schema, required bool) (jsontext.Value, error) {
	_, _ = fmt.Fprintln(a.out, a.page.Bold(a.page.Wrap(question, "")))
	choices := newMenu(s)
	choices.print(a)
	prompt := a.prompt(s, required)
	for wrong := 0; wrong < tries; wrong++ {
		text, err := a.line(ctx, prompt, s.Secret)
		switch {
		case err != nil:
			return nil, err
		case text == Decline:
			return nil, ErrDeclined
		case text == "" && (s.Default != nil || !required):
			return s.Default, nil
		case text == "":
			_, _ = fmt.Fprintln(a.out, "An answer is required.")
			continue
		}
		v, err := Understand(text, s)
		if err == nil {
			return v, nil
		}
		if choices.find(text) {
			choices.print(a)
			wrong-- // a search does not count as a wrong answer
			continue
		}
		problem := "The answer " + Line(err.Error(), 300)
		if choices.isLong() {
			problem = "No choice contains " + strconv.Quote(Line(text, 100))
		}
		_, _ = fmt.Fprintln(a.out, problem+".")
	}
	return nil, fmt.Errorf("%w: %d invalid answers", ErrCanceled, tries)
}

func (a *Asker) prompt(s shape.Schema, required bool) string {
	hint := s.Type()
	switch {
	case isBool(s):
		hint = "yes or no"
	case len(s.Choices) > 0:
		hint = "1–" + strconv.Itoa(len(s.Choices))
	case isList(s) && len(s.Items.Choices) > 0:
		hint = "1–" + strconv.Itoa(len(s.Items.Choices)) + ", separated by commas"
	case isList(s):
		hint += ", separated by commas"
	case s.Secret:
		hint = strings.Join(append([]string{"not shown"}, s.Limits.List()...), ", ")
	default:
		hint = strings.Join(append([]string{hint}, s.Limits.List()...), ", ")
	}
	switch {
	case isBool(s) && s.Default != nil:
		hint += ", default " + map[bool]string{true: "yes", false: "no"}[string(s.Default) == "true"]
	case s.Default != nil:
		hint += ", default " + shape.Word(s.Default)
	case !required:
		hint += ", optional"
	}
	return a.page.Dim("("+Line(hint, 200)+")") + " > "
}

func isBool(s shape.Schema) bool {
	return len(s.Choices) == 0 && len(s.Types) == 1 && s.Types[0] == "boolean"
}

// Understand returns the value that text represents. In addition to the values of the schema, it
// accepts yes and no for booleans, and the number of a choice.
func Understand(text string, s shape.Schema) (jsontext.Value, error) {
	if isBool(s) {
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "y", "yes", "true":
			return jsontext.Value("true"), nil
		case "n", "no", "false":
			return jsontext.Value("false"), nil
		}
		return nil, errors.New("must be yes or no")
	}
	if isList(s) && !strings.HasPrefix(strings.TrimSpace(text), "[") {
		return understandList(text, *s.Items)
	}
	v, err := s.Value(text)
	if err == nil && v.Kind() == '"' {
		if must := question.CheckFormat(s.Format, text); must != "" {
			return nil, fmt.Errorf("must be %s, not %s", must, phrase.Quoted(text, 40))
		}
	}
	if err == nil || len(s.Choices) == 0 {
		return v, err
	}
	if n, bad := strconv.Atoi(strings.TrimSpace(text)); bad == nil && n >= 1 && n <= len(s.Choices) {
		return s.Choices[n-1].Value, nil
	}
	return nil, err
}

// Form asks for the properties of an object one by one, and returns the object.
func (a *Asker) Form(ctx context.Context, title string, s shape.Schema) (jsontext.Value, error) {
	if len(s.Properties) == 0 { // without a field, the form asks only for consent
		yes, err := a.Confirm(ctx, title)
		if err == nil && !yes {
			err = ErrDeclined
		}
		return jsontext.Value("{}"), err
	}
	a.Say(title)
	members := map[string]jsontext.Value{}
	for _, p := range s.Properties {
		question := cmp.Or(p.Title, p.Name)
		if p.Description != "" {
			question += ": " + p.Description
		}
		v, err := a.Value(ctx, question, p.Schema, p.Required)
		if err != nil {
			return nil, err
		}
		if v != nil {
			members[p.Name] = v
		}
	}
	return json.Marshal(members, json.Deterministic(true))
}

func isList(s shape.Schema) bool {
	return len(s.Types) == 1 && s.Types[0] == "array" && s.Items != nil
}

// understandList splits text at its commas.
func understandList(text string, item shape.Schema) (jsontext.Value, error) {
	list := []jsontext.Value{}
	for word := range strings.SplitSeq(text, ",") {
		v, err := Understand(strings.TrimSpace(word), item)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return json.Marshal(list)
}
