package jptest

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
)

// An Outcome describes what a call returned and what happened during the call.
type Outcome struct {
	// Tool is the name of the tool, the resource or the prompt.
	Tool string
	// Text is the result as text, or "" if the call failed.
	Text string
	// Blocks are the content blocks; over MCP, they have no annotations. Structured is the structured content.
	// Blocks and Structured are nil on wires that do not transmit them.
	Blocks     content.Blocks
	Structured json.RawMessage
	// Messages are those of a prompt.
	Messages content.Messages
	// Code is the code of the fault, or "" if the call succeeded; Message is its text, and Transient reports
	// whether it is transient.
	Code      fault.Code
	Message   string
	Transient bool
	// Trace contains the causes of the fault, outermost first; it is nil over MCP.
	Trace []string
	// Asked are the questions that the call asked, in order.
	Asked []Question
	// Runs is the number of runs of the handler. It is 1 on wires where the handler waits.
	Runs int
	// Dismissed reports that the host ended the call because a question was declined. JP does not notify the tool.
	Dismissed bool
	// Progress and Logs are what the caller received. They are nil on JP's wires.
	Progress []Progress
	Logs     []Log

	kit *Kit
}

// A Question is a question that a tool asked.
type Question struct {
	// ID is the declared id, followed by the subject or the field of the form, if any. The id of a question
	// that is asked again ends with two dashes and the number of times that it has been asked.
	ID string
	// Text is the question, and Preamble is the text shown before it.
	Text, Preamble string
	// Options are the values to choose from, and Default is the default as JSON. Both are nil if the
	// question has none.
	Options []string
	Default json.RawMessage

	text  bool // the host answers with a string
	field bool // if the declared question is a form, this is one of its fields
}

// questionOf returns a question with the options and the default of a schema.
func questionOf(schema any) (q Question) {
	type values struct {
		Enum         []string
		OneOf, AnyOf []struct{ Const string }
	}
	var s struct {
		values
		Items   values
		Default json.RawMessage
	}
	if data, err := json.Marshal(schema); err != nil || json.Unmarshal(data, &s) != nil {
		return q
	}
	q.Options, q.Default = append(s.Enum, s.Items.Enum...), s.Default
	for _, titled := range append(s.OneOf, s.Items.AnyOf...) {
		q.Options = append(q.Options, titled.Const)
	}
	return q
}

// Progress is a progress report. A Total of 0 means that the total is unknown.
type Progress struct {
	Done, Total float64
	Message     string
}

// A Log is a log record that a handler wrote. The level is "debug", "info", "warn" or "error", or another MCP
// log level.
type Log struct {
	Level, Message string
	Attrs          map[string]any
}

func (c *call) progress(done, total float64, message string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out.Progress = append(c.out.Progress, Progress{done, total, message})
}

// log adds a log record, as encoded by slog.JSONHandler, to the outcome. If level is "", the level in
// the record is used.
func (c *call) log(level string, record []byte) {
	var attrs map[string]any
	if json.Unmarshal(record, &attrs) != nil {
		return
	}
	if level == "" {
		level, _ = attrs["level"].(string)
	}
	if level = strings.ToLower(level); level == "warning" {
		level = "warn"
	}
	message, _ := attrs["msg"].(string)
	for _, name := range []string{"time", "level", "msg"} {
		delete(attrs, name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out.Logs = append(c.out.Logs, Log{level, message, attrs})
}

// fail sets the outcome of a call to a fault. If code is "", the text starts with the code.
func (c *call) fail(code fault.Code, text string) {
	before, message, ok := strings.Cut(text, ": ")
	if first := fault.Code(before); ok && first.Valid() && (code == "" || code == first) {
		code, text = first, message
	}
	c.out.Code, c.out.Message = cmp.Or(code, fault.Internal), text
}

// Questions returns the ids of the questions in order.
func (o Outcome) Questions() []string {
	ids := make([]string, len(o.Asked))
	for i, q := range o.Asked {
		ids[i] = q.ID
	}
	return ids
}

// OK fails the test unless the call succeeded, and returns its text.
func (o Outcome) OK(t testing.TB) string {
	t.Helper()
	if o.Code != "" || o.Dismissed {
		t.Fatalf("%s failed: %s: %s (dismissed: %t)", o.Tool, o.Code, o.Message, o.Dismissed)
	}
	return o.Text
}

// Failed fails the test unless the call failed with this code, and returns the message. A dismissed call counts
// as a failure with [fault.InputDeclined].
func (o Outcome) Failed(t testing.TB, code fault.Code) string {
	t.Helper()
	if o.Code != code && (!o.Dismissed || code != fault.InputDeclined) {
		t.Fatalf("%s ended with code %q and text %q, want code %q: %s", o.Tool, o.Code, o.Text, code, o.Message)
	}
	return o.Message
}

// Golden compares the text of the result, or the code and the message of the fault, with testdata/NAME.txt, and
// the structured content with testdata/NAME.json, and fails the test if they differ. On wires without
// structured content, it ignores testdata/NAME.json. With JPTOOL_UPDATE=1 in the environment, it writes the
// files.
func (o Outcome) Golden(t testing.TB, name string) {
	t.Helper()
	text := o.Text
	if o.Code != "" {
		text = string(o.Code) + ": " + o.Message
	}
	o.golden(t, name+".txt", text)
	if o.kit.options.Wire.structured {
		o.golden(t, name+".json", indentJSON(o.Structured))
	}
}

// golden compares text with a file. If text is "", the file must not exist.
func (o Outcome) golden(t testing.TB, name, text string) {
	t.Helper()
	if text != "" {
		text = o.kit.mask(text) + "\n"
	}
	path := "testdata/" + name
	if os.Getenv("JPTOOL_UPDATE") != "" {
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if text == "" {
			err = os.RemoveAll(path)
		} else if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	unix := strings.NewReplacer("\r\n", "\n") // git may change line endings on Windows
	if unix.Replace(text) != unix.Replace(string(want)) {
		t.Errorf("%s: the result differs from %s; run with JPTOOL_UPDATE=1 to write the file; got\n%s\nwant\n%s", o.Tool, path, text, want)
	}
}
