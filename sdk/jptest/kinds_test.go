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

// Several values, the value behind a title and a format have the same meaning on every wire.
func TestKindsOnEveryWire(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			k := jptest.NewWith(t, kinds.NewServer(&kinds.Kinds{}), jptest.Options{Wire: wire})
			spices, dish := jptest.Answer("spices", []kinds.Spice{kinds.Oil, kinds.Salt}), jptest.Answer("dish", "d1")
			if text := k.Call("season", nil, spices, dish, jptest.Answer("mail", "ada@example.com")).OK(t); text != "[oil salt] on d1 for ada@example.com" {
				t.Errorf("season: %q", text)
			}
			if text := k.Call("season", nil, jptest.Answer("spices", "chili"), jptest.Answer("dish", "Salad"), jptest.Answer("mail", "a@b.c")).OK(t); text != "[chili] on d2 for a@b.c" {
				t.Errorf("season: %q", text)
			}
			k.Call("season", nil, spices, dish, jptest.Answer("mail", "Ada")).Failed(t, fault.InvalidAnswer)
			k.Call("season", nil, spices, jptest.Answer("dish", "Soup")).Failed(t, fault.InvalidAnswer)
			k.Call("season", nil, jptest.Answer("spices", []string{"salt", "oil", "chili"})).Failed(t, fault.InvalidAnswer)
			k.Call("season", nil, jptest.Answer("spices", []string{})).Failed(t, fault.InvalidAnswer)
		})
	}
}

// A script opens a page also on wires that cannot ask to. A user who does not open it declines.
func TestVisitsOnEveryWire(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			k := jptest.NewWith(t, kinds.NewServer(&kinds.Kinds{}), jptest.Options{Wire: wire})
			in := kinds.ConnectInput{URL: "https://example.com/sign-in?state=1"}
			if text := k.Call("connect", in, jptest.Answer("sign_in", true)).OK(t); text != "You are connected." {
				t.Errorf("connect: %q", text)
			}
			k.Call("connect", in, jptest.Answer("sign_in", false)).Failed(t, fault.InputDeclined)
			k.Call("connect", kinds.ConnectInput{URL: "http://example.com"}).Failed(t, fault.Internal)
		})
	}
}
