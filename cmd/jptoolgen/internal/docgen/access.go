package docgen

import "strings"

// access describes the toolsets of the server, and the scopes that imply others.
func (w *writer) access() {
	if len(w.server.Toolsets) > 0 {
		w.para("The server has these toolsets. %s selects some of them, and %s selects what only reads.", code("--toolsets"), code("--read-only"))
		w.table("| toolset | | meaning |")
		for _, set := range w.server.Toolsets {
			state := "off by default"
			if set.Default {
				state = "on by default"
			}
			w.line("| %s | %s | %s |", code(set.Name), state, cell(set.Description))
		}
		w.line("")
	}
	for _, scope := range w.server.Scopes {
		w.para("The OAuth scope %s implies %s.", code(scope.Name), codes(scope.Implies))
	}
}

// codes formats words as a list of code.
func codes(words []string) string {
	var all []string
	for _, word := range words {
		all = append(all, code(word))
	}
	return strings.Join(all, ", ")
}
