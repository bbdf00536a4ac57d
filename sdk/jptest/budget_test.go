package jptest_test

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture/shelf"
	"github.com/jptool/jptool/sdk/jptest"
)

// A result over its budget fails a test over every protocol and transport. A page that returns
// fewer items does not.
func TestBudgetIsAFinding(t *testing.T) {
	for _, w := range jptest.Wires() {
		t.Run(w.String(), func(t *testing.T) {
			failures, _ := run(func(t testing.TB) {
				k := jptest.NewWith(t, shelf.NewServer(shelf.New(200)), jptest.Options{Wire: w})
				k.Call("list", nil).OK(t)
				k.Call("quote", object{"opinion": strings.Repeat("Buy. ", 300)}).OK(t)
			})
			const want = "quote returned 1549 bytes, over its budget of 1000: return less, a tool.Page with smaller items, or a link to the whole result"
			if failures != want {
				t.Errorf("the test failed with %q, want %q", failures, want)
			}
		})
	}
}
