package breaking

import (
	"fmt"
	"io"
)

// WriteRules writes a Markdown table of all rules.
func WriteRules(w io.Writer) error {
	var part Part
	for _, r := range Rules() {
		if r.Part != part {
			part = r.Part
			if _, err := fmt.Fprintf(w, "\n## %s\n\n| rule | level | hurts | what happened |\n| --- | --- | --- | --- |\n", part.title()); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", r.ID, r.Level, r.Hurts, r.Says); err != nil {
			return err
		}
	}
	return nil
}

// title returns the heading for the rules of the part.
func (p Part) title() string {
	switch p {
	case Server:
		return "The server"
	case Names:
		return "Tools and their names"
	case Input:
		return "Arguments"
	case Output:
		return "Results"
	case Question:
		return "Questions"
	case Option:
		return "Options"
	case Code:
		return "Error codes"
	case Resource:
		return "Resources"
	case Prompt:
		return "Prompts"
	}
	return "Annotations"
}
