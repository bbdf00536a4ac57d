package tool

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Unknown returns the fault for an unknown tool. It suggests the nearest name. If no name is near,
// it lists some names, starting with those that share a word with the unknown name.
func Unknown(name string, names []string) *fault.Error {
	const most = 12
	f := fault.New(fault.NotFound, "there is no tool %.60q", name)
	if near, ok := phrase.Nearest(name, names); ok {
		f.Message += fmt.Sprintf("; did you mean %q?", near)
		f.Details = map[string]any{"nearest": near}
		return f
	}
	words := strings.FieldsFunc(strings.ToLower(phrase.Clip(name, 60)), func(r rune) bool { return !unicode.IsLetter(r) })
	shares := func(name string) int {
		return -len(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.Contains(name, w) }))
	}
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int { return shares(a) - shares(b) })
	if shown := names[:min(len(names), most)]; len(shown) > 0 {
		f.Message += "; the tools are " + strings.Join(shown, ", ")
	}
	if len(names) > most {
		f.Message += fmt.Sprintf(" and %d others", len(names)-most)
	}
	return f
}

// Deprecated returns the warning for a call that uses a tool's former name.
func Deprecated(current string, old *manifest.Alias) string {
	return fmt.Sprintf("%s is a former name of this tool and may be removed after %s; call %s instead", old.Name, old.Until, current)
}

// Decoding returns the decoding options for a policy on undeclared arguments.
func Decoding(u manifest.Unknown) decode.Options {
	return decode.Options{Closed: u == manifest.Reject}
}

// Nearest returns the most similar of several names, or false if no name is similar. Names that
// differ only in case, underscores, dashes, dots and spaces are the most similar. Otherwise a name
// may have one mistake per three characters, or a different ending.
func Nearest(name string, among []string) (string, bool) { return phrase.Nearest(name, among) }
