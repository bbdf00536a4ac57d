package smell

import (
	"fmt"

	"github.com/jptool/jptool/internal/lazyregexp"
)

// A Text is the format string of an error that a model may correct, and its position in the source.
type Text struct{ At, Text string }

// Errors returns findings about error messages.
func Errors(texts []Text) (all []Finding) {
	for _, t := range texts {
		if !suggestsFix(t.Text) {
			all = append(all, Finding{Rule: NoStep, At: t.At, Message: fmt.Sprintf("the error %q does not explain how to correct the call", t.Text),
				Hint: "add a next step, for example: there is no note with this id; use note_search to find it"})
		}
	}
	return all
}

// suggestsFix reports whether an error message describes a correction or the accepted values.
func suggestsFix(text string) bool {
	return instructs().MatchString(text) || accepts().MatchString(text) || offers().MatchString(text)
}

const verbs = `add|ask|call|change|check|choose|close|commit|correct|create|delete|enter|escape|find|give|include|install|keep|leave|list|look|make|move|narrow|` +
	`omit|open|pass|pick|provide|put|quote|read|remove|rename|repeat|request|resolve|retry|run|search|see|select|send|set|shorten|show|sign|specify|split|start|supply|` +
	`try|unarchive|use|wait|write`

var (
	// instructs matches a clause that begins with a verb.
	instructs = lazyregexp.New(`(?i)(^(log in|please|ask|call|give|pass|send|sign in|try|use|write)|([;:.,(]|\b(or|and|then|instead))\s+(please\s+)?(` + verbs + `|log in))\b`)
	// accepts matches text that describes the accepted values of an argument.
	accepts = lazyregexp.New(`(?i)\b(must|expected|did you mean|at most|at least|between|one of|such as|e\.g\.|required|valid (values|names|options)|` +
		`(is|are) (supported|accepted|allowed|available)|(supported|accepted|allowed|available) \w*\s*(is|are|:)|the (limit|largest|smallest|maximum|minimum) is|missing (argument|parameter|field) \S)`)
	// offers matches a clause with a value that the caller can use.
	offers = lazyregexp.New(`;\s+\w+[^;]*%[sdqv]|\b(available|allowed|known|supported|valid)( \w+)?: %`)
)
