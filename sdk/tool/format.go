package tool

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/jptool/jptool/sdk/gen/decode"
)

// A Formatter is an input that describes a call to the person who approves it. Format receives
// the decoded arguments, including defaults, and must have no side effects.
type Formatter interface{ Format() string }

// Format returns the arguments of a call for the person who approves it. It uses the Format
// method of the tool's input; without one it returns a line "name: value" for each argument,
// with long and multi-line values indented below their name. The handler is not called and no
// question is asked.
//
// Format does not fail. Arguments that do not match the input, and those whose Format method
// panics, are shown as plain lines; the call itself reports the problem to the model. Without
// arguments, Format returns "". Control characters and invisible characters are escaped, for
// example as \x1b, even in the result of a Format method; newlines and tabs are kept.
func (t *Tool) Format(r Request) string {
	if text, ok := t.formatted(r); ok {
		return printable(text)
	}
	return plain(r.Arguments)
}

// formatted returns the result of the input's Format method, if it has one.
func (t *Tool) formatted(r Request) (text string, ok bool) {
	if t.format == nil {
		return "", false
	}
	defer func() {
		if p := recover(); p != nil {
			log := r.Log
			if log == nil {
				log = slog.Default()
			}
			log.Error("formatting arguments panicked", "tool", t.name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			text, ok = "", false
		}
	}()
	return t.format(r.Arguments)
}

// formatter returns the function that calls the Format method of an input, or nil if it has
// none.
func formatter[In any](fields func(*decode.Object, *In)) func(json.RawMessage) (string, bool) {
	if _, ok := any(new(In)).(Formatter); !ok {
		return nil
	}
	return func(arguments json.RawMessage) (string, bool) {
		var in In
		if report := decode.Into(arguments, &in, fields, decode.Options{}); len(report.Problems) > 0 {
			return "", false
		}
		return any(&in).(Formatter).Format(), true
	}
}
