package breaking

import (
	"fmt"
	"io"
	"strings"
)

// WriteRules writes a Markdown table of all rules.
func WriteRules(w io.Writer) error {
	var b strings.Builder
	for _, s := range sections() {
		fmt.Fprintf(&b, "\n## %s\n\n| rule | level | hurts | what happened |\n| --- | --- | --- | --- |\n", s.title)
		for _, r := range s.rules {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.ID, r.Level, r.Hurts, r.Says)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
