package jptest_test

import (
	"testing"

	"github.com/jptool/jptool/internal/fixture/kinds"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jptest"
)

// A script answers a secret also on wires that cannot ask for it.
func TestSecretsOnEveryWire(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			k := jptest.NewWith(t, kinds.NewServer(&kinds.Kinds{}), jptest.Options{Wire: wire})
			out := k.Call("unlock", nil, jptest.Answer("passphrase", "open sesame"), jptest.Answer("sure", true))
			if text := out.OK(t); text != "It is open." {
				t.Errorf("unlock: %q", text)
			}
			k.Call("unlock", nil, jptest.Answer("passphrase", "abc")).Failed(t, fault.InvalidAnswer)
		})
	}
}
