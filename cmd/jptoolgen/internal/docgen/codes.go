package docgen

import "github.com/jptool/jptool/sdk/fault"

// codes lists all codes that the server declares, the base codes that a tool can fail with, and the codes of every tool.
func (w *writer) codes() {
	used := map[string]bool{}
	for _, t := range w.server.Calls() {
		for _, c := range t.Fails {
			used[c] = true
		}
	}
	if len(used) == 0 && len(w.server.Codes) == 0 {
		return
	}
	w.para("## Error codes")
	w.table("| code | meaning |")
	for _, c := range w.server.Codes {
		w.line(`| <a id="%s"></a>%s | %s |`, codeAnchor(c.Name), code(c.Name), cell(c.Description))
	}
	for _, c := range fault.Base() {
		if used[string(c)] {
			w.line(`| <a id="%s"></a>%s | %s |`, codeAnchor(string(c)), code(string(c)), baseMeanings[c])
		}
	}
	w.line("")
	if !w.server.Listed {
		w.para("Every tool can also fail with %s.", join(common()))
	}
}

// common returns the codes that every tool can return.
func common() (all []string) {
	for _, c := range fault.Common() {
		all = append(all, code(string(c)))
	}
	return all
}

// Meaning returns the meaning of a base code, or "" for other codes.
func Meaning(name string) string { return baseMeanings[fault.Code(name)] }

// baseMeanings describes the base codes.
var baseMeanings = map[fault.Code]string{
	fault.InvalidInput:     "The arguments or options are invalid.",
	fault.InvalidAnswer:    "The answer to a question is invalid.",
	fault.InputUnavailable: "The user could not be asked a question.",
	fault.InputDeclined:    "A question was declined or canceled.",
	fault.NotFound:         "The arguments refer to something that does not exist.",
	fault.PermissionDenied: "The call is not allowed.",
	fault.Conflict:         "The call conflicts with existing data.",
	fault.State:            "The call is not possible in the current state.",
	fault.Unavailable:      "Something that the tool needs is currently unavailable.",
	fault.Timeout:          "The call took too long.",
	fault.Canceled:         "The caller canceled the call.",
	fault.Internal:         "The tool failed because of an internal error.",
}
