package abuse

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/bench/internal/request"
)

// A case whose replacement matches nothing would send a valid call and test nothing.
func TestCasesDiffer(t *testing.T) {
	for _, era := range request.Eras {
		seen := map[string]string{}
		for _, c := range Cases(era) {
			name := c.Group + ", " + c.Name
			if other, ok := seen[c.Line]; ok {
				t.Errorf("%s: %q and %q send the same message", era, name, other)
			}
			seen[c.Line] = name
			if strings.ContainsRune(c.Line, '\n') {
				t.Errorf("%s: %q is more than one line", era, name)
			}
		}
	}
}

func TestVerdicts(t *testing.T) {
	tests := []struct {
		want Want
		line string
		ok   bool
	}{
		{Result, `{"jsonrpc":"2.0","id":41,"result":{"isError":true}}`, false},
		{Result, `{"jsonrpc":"2.0","id":42,"result":{}}`, false},
		{Result, `{"jsonrpc":"2.0","id":41,"result":{}}`, true},
		{Refusal, `{"jsonrpc":"2.0","id":41,"result":{}}`, false},
		{Refusal, `{"jsonrpc":"2.0","id":41,"error":{"code":-32603,"message":"x"}}`, false},
		{Refusal, `{"jsonrpc":"2.0","id":41,"error":{"code":-32602,"message":"x"}}`, true},
		{Refusal, `{"jsonrpc":"2.0","id":41,"result":{"isError":true}}`, true},
		{Failure, `{"jsonrpc":"2.0","id":41,"error":{"code":0,"message":"x"}}`, false},
		{Failure, `{"jsonrpc":"2.0","id":41,"error":{"code":-32600,"message":"x"}}`, true},
		{Anything, `{"jsonrpc":"2.0","id":41,"error":{"code":-32603,"message":"x"}}`, false},
		{Anything, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`, true},
		{Silence, `{"jsonrpc":"2.0","id":41,"result":{}}`, false},
	}
	for _, test := range tests {
		m, err := parse([]byte(test.line))
		if err != nil {
			t.Fatal(err)
		}
		err = Case{ID: "41", Want: test.want}.accepts(m, []byte(test.line))
		if (err == nil) != test.ok {
			t.Errorf("%d, %s: %v", test.want, test.line, err)
		}
	}
	if _, err := parse([]byte("hello")); err == nil {
		t.Error("text that is not JSON was accepted as a message")
	}
}
