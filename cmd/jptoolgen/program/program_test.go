package program

import (
	"strings"
	"testing"
)

// The names of a server's tools and parameters do not change the meaning of a command line.
func TestNames(t *testing.T) {
	hostile := Server{Name: "s", Tools: []Tool{{Name: "t\n  u  Does it", Input: `{"properties":{"help":{"type":"boolean"},"-x":{},"=":{},"":{},"é":{}}}`}}}
	for _, tc := range []struct{ args, out, err string }{
		{"", "\n  t u Does it  \n", ""},
		{hostile.Tools[0].Name + "|--help", "Flags:\n      --é any value", ""}, // the tool is not called
		{hostile.Tools[0].Name + "|help=true|-x=1", "", "unknown shorthand flag: 'x' in -x"},
		{hostile.Tools[0].Name + "|help=true|--|/nonexistent/server", "", "starting the server"},
		{"--timeout=-1s|" + hostile.Tools[0].Name, "", "--timeout must be positive, e.g. 30s"},
	} {
		var out strings.Builder
		r := run{server: hostile, stdin: strings.NewReader(""), stdout: &out, stderr: &out}
		_, err := r.main(t.Context(), strings.FieldsFunc(tc.args, func(r rune) bool { return r == '|' }))
		if (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) || !strings.Contains(out.String(), tc.out) {
			t.Errorf("%q: %v, want %q\n%s", tc.args, err, tc.err, out.String())
		}
	}
}
