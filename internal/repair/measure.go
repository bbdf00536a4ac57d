package repair

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"
)

// rounds is the maximum number of times that a caller corrects a call.
const rounds = 3

// A Score describes how well callers can follow the errors of bad calls.
type Score struct {
	Calls, Repaired int
	// Tokens holds the number of tokens of each call's first error, in ascending order.
	Tokens []int
}

// Median returns the median number of tokens of an error.
func (s Score) Median() int { return s.Tokens[len(s.Tokens)/2] }

// Measure makes bad calls, one for each line "TOOL ARGUMENTS", and corrects each call with the help of its
// errors until it succeeds. It skips empty lines and lines that start with #. known holds values that the caller
// knows, keyed by name. call returns the error that the caller reads, or "" for success. The test fails if a
// call succeeds without a correction.
func Measure(t testing.TB, lines string, known map[string]any, call func(tool string, arguments []byte) string) (s Score) {
	t.Helper()
	count := codec.NewO200kBase()
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, arguments, _ := strings.Cut(line, " ")
		c := Call{Tool: name, Known: known}
		if json.Unmarshal([]byte(arguments), &c.Args) != nil {
			c.Args = arguments
		}
		message := call(name, []byte(arguments))
		if message == "" {
			t.Errorf("%s succeeds", line)
		}
		tokens, err := count.Count(message)
		if err != nil {
			t.Fatal(err)
		}
		s.Calls++
		s.Tokens = append(s.Tokens, tokens)
		said := []string{message}
		for range rounds {
			_, text, _ := strings.Cut(message, ": ") // the message without the error code
			next, ok := Once(c, text)
			if !ok {
				break
			}
			c = next
			if message = call(c.Tool, encode(c.Args)); message == "" {
				s.Repaired++
				break
			}
			said = append(said, string(encode(c.Args))+" "+message)
		}
		if message != "" {
			t.Logf("not repaired: %s\n\t%s", line, strings.Join(said, "\n\t"))
		}
	}
	slices.Sort(s.Tokens)
	t.Logf("%d of %d calls repaired, the median error has %d tokens, the longest %d", s.Repaired, s.Calls, s.Median(), s.Tokens[len(s.Tokens)-1])
	return s
}

// MeasureTestdata measures the calls in testdata/bad.txt and testdata/hard.txt as Measure does. The
// test fails if fewer than 98% of the calls in bad.txt or 90% of the calls in hard.txt are repaired,
// or if the median error has more than 30 tokens.
func MeasureTestdata(t testing.TB, known map[string]any, call func(tool string, arguments []byte) string) {
	t.Helper()
	for file, percent := range map[string]int{"testdata/bad.txt": 98, "testdata/hard.txt": 90} {
		lines, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if score := Measure(t, string(lines), known, call); score.Repaired*100 < score.Calls*percent || score.Median() > 30 {
			t.Errorf("%s: %+v", file, score)
		}
	}
}

func encode(v any) []byte {
	if text, ok := v.(string); ok {
		return []byte(text)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return []byte("null")
	}
	return data
}
