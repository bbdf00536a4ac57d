package directive

import (
	"fmt"
	"strings"
)

// Help returns the table of directives as text.
func Help() string {
	var b strings.Builder
	for _, s := range Table() {
		fmt.Fprintf(&b, "  //jp:%-8s %s\n", s.Name, s.Help)
		if s.Words != "" {
			fmt.Fprintf(&b, "    %s...\n", s.Words)
		}
		for _, a := range s.Args {
			values := "=text"
			if len(a.Values) > 0 {
				values = "=" + strings.Join(a.Values, "|")
			}
			fmt.Fprintf(&b, "    %s%s\n        %s\n", a.Name, values, a.Help)
		}
	}
	return b.String()
}
