package tool

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/jptool/jptool/sdk/gen/decode"
)

// A Formatter is an input that says itself how a person reads it, before the call
// is made. Its method gets the decoded arguments, declared defaults included, and
// must be free of effects.
type Formatter interface{ Format() string }

// Format returns the arguments of a call as a person reads them who is about to
// approve it: by the Format method of the tool's input, else one "name: value" a
// line in the order that was sent, with long and many-lined values indented below
// their name. The handler is not called and nothing is asked.
//
// Format does not fail. Arguments that do not fit the input, and those whose
// Format method panics, are shown plainly: what is wrong with them is for the call
// to say, to the model that sent them. No arguments are "". What a terminal would
// act on, or not show, is written as an escape such as \x1b, in the words of a
// Format method as well; newlines and tabs stay.
func (t *Tool) Format(r Request) string {
	if text, ok := t.formatted(r); ok {
		return printable(text)
	}
	return plain(r.Arguments)
}

// formatted returns what the input says of itself, if it does.
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

// formatter returns the function that lets an input say how it reads, and nil for
// an input that does not.
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
