package jptest_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture/kinds"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jptest"
)

// A script can answer a secret even on wires that cannot ask for it.
func TestSecretsOnEveryWire(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			k := jptest.NewWith(t, kinds.NewServer(&kinds.Kinds{}), jptest.Options{Wire: wire})
			out := k.Call("unlock", nil, jptest.Answer("passphrase", "open sesame"), jptest.Answer("sure", true))
			if text := out.OK(t); text != "It is open." {
				t.Errorf("unlock: %q", text)
			}
			if message := k.Call("unlock", nil, jptest.Answer("passphrase", "abc")).Failed(t, fault.InvalidAnswer); strings.Contains(message, "abc") {
				t.Errorf("unlock: the secret is in the message %q", message)
			}
		})
	}
}

// Several values, a value with a title and text with a format have the same meaning on every wire.
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

// A script can answer a question about any single subject, even if each field of a form is asked
// separately.
func TestSubjectsOnEveryWire(t *testing.T) {
	const long = "examples/testdata/golden/a/very/long/name.txt"
	seat := func(table int) object { return object{"table": table, "near": true} }
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			k := jptest.NewWith(t, kinds.NewServer(&kinds.Kinds{}), jptest.Options{Wire: wire, Mask: regexp.MustCompile(`^party \d+`)})
			guests := object{"guests": []string{"ada", "b.c", "", "d-e", long}}
			host, hour, yes := jptest.Answer("host", "Eve"), jptest.Answer("hour", 8), jptest.Answer("sure", true)
			for i, want := range []string{
				"[false true true true true]", "[true false true true true]", "[true true false true true]", "[true true true false true]",
				"[true true true true false]",
			} {
				no := jptest.Answer("sure-"+guests["guests"].([]string)[i], false)
				if text := k.Call("invite", guests, host, hour, yes, no).OK(t); !strings.HasSuffix(text, want) {
					t.Errorf("invite: %q, want %s", text, want)
				}
			}
			guests = object{"guests": []string{"ada", "b.c", "", "d-e"}}
			if text := k.Call("seat", guests, jptest.Answer("seat", object{"near": false})).OK(t); text != "[{1 false false } {1 false false } {1 false false } {1 false false }]" {
				t.Errorf("seat: %q", text)
			}
			if text := k.Call("seat", guests, jptest.Answer("seat", seat(9)), jptest.Answer("seat-ada", seat(2)), jptest.Answer("seat-b.c", object{"table": 3, "near": true, "raised": true, "spice": "oil"})).OK(t); text != "[{2 true false } {3 true true oil} {9 true false } {9 true false }]" {
				t.Errorf("seat: %q", text)
			}
		})
	}
}

// No id of a question is empty or contains a dot, which JP uses as a separator.
func TestQuestionIDsOnEveryWire(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			k := jptest.NewWith(t, kinds.NewServer(&kinds.Kinds{}), jptest.Options{Wire: wire, Mask: regexp.MustCompile(`^party \d+`)})
			asked := k.Call("connect", kinds.ConnectInput{URL: "https://example.com/"}, jptest.Answer("sign_in", true)).Questions()
			for _, names := range [][]string{{"ada", "b.c", "", "."}, {"..", "d.", ".e", "f/g.txt"}, {"ü.ü"}} {
				guests := object{"guests": names}
				asked = append(asked, k.Call("invite", guests, jptest.Answer("host", "Eve"), jptest.Answer("hour", 8), jptest.Answer("sure", true)).Questions()...)
				asked = append(asked, k.Call("seat", guests, jptest.Answer("seat", object{"table": 1, "near": true})).Questions()...)
			}
			long := object{"guests": []string{strings.Repeat("long.", 40)}}
			asked = append(asked, k.Call("invite", long, jptest.Answer("host", "Eve"), jptest.Answer("hour", 8), jptest.Answer("sure", true)).Questions()...)
			if len(asked) < 20 {
				t.Fatalf("asked only %q", asked)
			}
			for _, id := range asked {
				if id == "" || strings.Contains(id, ".") || len(id) > question.MaxID {
					t.Errorf("the id of a question is %q", id)
				}
			}
		})
	}
}

// The error for a missing reply contains the id with which the test can reply.
func TestMissingRepliesAboutSubjects(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			for _, tc := range []struct{ tool, guest, id string }{
				{"invite", "ada", "sure-ada"}, {"invite", "d/e/b.txt", "sure-d/e/b.txt"}, {"seat", "b.c", "seat-b.c"},
			} {
				message, _ := run(func(t testing.TB) {
					k := jptest.NewWith(t, kinds.NewServer(&kinds.Kinds{}), jptest.Options{Wire: wire})
					script := []jptest.Reply{jptest.Answer("host", "Eve"), jptest.Answer("hour", 8)}
					if tc.tool == "seat" {
						script = nil
					}
					k.Call(tc.tool, object{"guests": []string{tc.guest}}, script...)
				})
				if want := `the test has no reply to question "` + tc.id + `" (`; !strings.Contains(message, want) {
					t.Errorf("%s, want %s", message, want)
				}
			}
		})
	}
}

// A script can open a page even on wires that cannot ask for it. A user who does not open it declines.
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

// Questions that are asked together have the same answers on every wire, even if one is asked again,
// configured or declined, or has an invalid answer.
func TestTogetherOnEveryWire(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			open := func(answers map[string]any) *jptest.Kit {
				return jptest.NewWith(t, kinds.NewServer(&kinds.Kinds{}), jptest.Options{
					Wire: wire, Answers: map[string]map[string]any{"invite": answers},
					Mask: regexp.MustCompile(`^party \d+`), // on JPLocal, each process repeats the work of Once
				})
			}
			in := kinds.InviteInput{Guests: []string{"ada", "bob"}}
			host, hour, sure := jptest.Answer("host", "Cleo"), jptest.Answer("hour", 20), jptest.Answer("sure", true)
			k := open(nil)
			if text := withoutParty(k.Call("invite", in, host, hour, jptest.Answer("sure-ada", false), sure).OK(t)); text != "Cleo at 20, guests [false true]" {
				t.Errorf("all: %q", text)
			}
			again := k.Call("invite", in, jptest.Answer("host", "C"), host, hour, sure)
			if text := withoutParty(again.OK(t)); text != "Cleo at 20, guests [true true]" {
				t.Errorf("one is asked again: %q", text)
			}
			ada := jptest.Answer("sure-ada", true)
			k.Call("invite", in, host, hour, ada, jptest.Answer("sure-bob", "yes")).Failed(t, fault.InvalidAnswer)
			k.Call("invite", in, host, hour, ada, jptest.Decline("sure-bob")).Failed(t, fault.InputDeclined)
			in.Partly = true
			if out := k.Call("invite", in, host, hour, ada, jptest.Decline("sure-bob")); !out.Dismissed && withoutParty(out.Text) != "Cleo at 20, guests [true false]" {
				t.Errorf("one is declined: %q, %s", out.Text, out.Message)
			}
			some := open(map[string]any{"host": "Dora", "sure-ada": true, "sure-bob": true}).Call("invite", in, hour)
			if text := withoutParty(some.OK(t)); text != "Dora at 20, guests [true true]" || len(some.Asked) != 1 {
				t.Errorf("some are configured: %q, asked %q", text, some.Questions())
			}
		})
	}
}

// withoutParty returns the result of Invite without the number of the party.
func withoutParty(text string) string {
	_, text, _ = strings.Cut(text, ": ")
	return text
}
