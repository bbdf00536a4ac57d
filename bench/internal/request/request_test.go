package request

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/jptool/jptool/bench/internal/search"
)

func TestLinesAreMessages(t *testing.T) {
	for _, era := range Eras {
		for _, line := range []string{Initialize, Initialized, List(era, 1), Call(era, 2, Arguments), Call(era, 3, Invalid()), Call(era, 4, Large(1000))} {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: not JSON: %s", era, line)
			}
		}
	}
}

func TestPost(t *testing.T) {
	for _, test := range []struct {
		era     Era
		session string
		has     map[string]string
	}{
		{Sessions, "", map[string]string{"Mcp-Session-Id": "", "Mcp-Method": ""}},
		{Sessions, "s1", map[string]string{"Mcp-Session-Id": "s1", "Mcp-Protocol-Version": "2025-11-25", "Mcp-Name": ""}},
		{Requests, "", map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "search_1"}},
	} {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(PostCall("127.0.0.1:80", "/mcp", test.era, test.session, 5, Arguments))))
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range test.has {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q, not %q", test.era, name, got, want)
			}
		}
		if body, err := io.ReadAll(r.Body); err != nil || string(body) != Call(test.era, 5, Arguments) {
			t.Errorf("%s: the body is %s (%v)", test.era, body, err)
		}
	}
}

func TestArguments(t *testing.T) {
	read := func(text string) (in search.In) {
		t.Helper()
		if err := json.Unmarshal([]byte(text), &in); err != nil {
			t.Fatal(err)
		}
		return in
	}
	if got := read(Invalid()).Limit; got != 2000 {
		t.Errorf("the limit in the invalid arguments is %d", got)
	}
	const size = 1_000_000
	if got := len(read(Large(size)).Query); got < size*99/100 || got > size {
		t.Errorf("the query of a large call has %d bytes, not about %d", got, size)
	}
}
