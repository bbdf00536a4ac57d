package wire_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jpdoc/vectortest"
	"github.com/jptool/jptool/sdk/jp/wire"
)

func TestVectors(t *testing.T) {
	vectortest.Run(t, "context.jsonl", readContext, appendContext)
	vectortest.Run(t, "access.jsonl", readAccess, appendAccess)
}

// The vector of a policy is read and written as part of a context.

func readAccess(data []byte) (*access.Policy, error) {
	c, err := wire.ReadContext(slices.Concat([]byte(`{"access":`), data, []byte("}")))
	if err == nil && c.Access == nil {
		err = errors.ErrUnsupported // null means no policy
	}
	return c.Access, err
}

func appendAccess(dst []byte, p *access.Policy) ([]byte, error) {
	_, rest, _ := bytes.Cut(jpdoc.AppendContext(nil, wire.Context{Access: p}), []byte(`"access":`))
	policy, _, _ := bytes.Cut(rest, []byte(`,"workspace_id"`))
	return append(dst, policy...), nil
}

// readContext accepts the same contexts as JP. JP requires more than a server does: every field except
// access, and the actions in the spelling of jp_tool.
func readContext(data []byte) (wire.Context, error) {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(data, &fields)
	if action := fields["action"]; bytes.HasPrefix(action, []byte("{")) {
		data = bytes.Replace(data, action, []byte(`"run"`), 1) // {"run":null}, which hosts do not send
		if string(action) != `{"run": null}` {
			return wire.Context{}, errors.ErrUnsupported
		}
	} else if action := string(action); action != `"run"` && action != `"format_arguments"` {
		_, err := wire.ReadContext(data)
		return wire.Context{}, cmp.Or(err, errors.ErrUnsupported)
	}
	for _, name := range []string{"root", "workspace_id", "conversation_id"} {
		if v := fields[name]; v == nil || string(v) == "null" {
			return wire.Context{}, errors.ErrUnsupported
		}
	}
	return wire.ReadContext(data)
}

func appendContext(dst []byte, c wire.Context) ([]byte, error) {
	return jpdoc.AppendContext(dst, c), nil
}

// outcomes returns the outcomes for which the files contain the verdict of JP's own code.
func outcomes(t *testing.T) []vectortest.Vector {
	const dir = "../../jpdoc/testdata/"
	return append(vectortest.Read(t, dir+"outcome.jsonl"), vectortest.Read(t, dir+"now_outcome.jsonl")...)
}

// isOutcome reports whether a JP host parses text as an outcome of any version, or takes it for a broken question.
func isOutcome(text string) bool {
	_, today := jpdoc.Tagged().ReadOutcome([]byte(text))
	_, before := jpdoc.Untagged().ReadOutcome([]byte(text))
	var claim map[string]any
	return today == nil || before == nil || wire.Check([]byte(text)) == nil && json.Unmarshal([]byte(text), &claim) == nil && claim["type"] == "needs_input"
}

func TestLooksLikeOutcome(t *testing.T) {
	for _, row := range outcomes(t) {
		if got, want := wire.LooksLikeOutcome(row.JSON), isOutcome(row.JSON); got != want {
			t.Errorf("%s: %v, want %v", row.Name, got, want)
		}
	}
	for _, text := range []string{"", "plain", " \n", "\u00a0{}", "{", `{"type":"success"}`, `["words"]`, `{"a":{"type":"needs_input"}}`, `["needs_input"]`, `{"type":"needs_input"`} {
		if wire.LooksLikeOutcome(text) {
			t.Errorf("%q is taken for an outcome", text)
		}
	}
}

// FuzzLooksLike checks that a tool and a host consider the same texts to be documents.
func FuzzLooksLike(f *testing.F) {
	f.Add(`["needs_input",["q","t",null,"Text",{"b":1,"a":-0,"b":1e21}]]`)
	f.Add(`{"type":"needs_input","question":{"id":"q","text":"t","answer_type":{"type":"secret"}}}`)
	f.Add(`{"type":"needs_input","question":{"id":"q","text":"t","answer_type":{"Select":[["a"]]}}}`)
	f.Add(`{"content":1,"content":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := wire.LooksLikeOutcome(text), isOutcome(text); got != want {
			t.Errorf("%q is an outcome: %v, want %v", text, got, want)
		}
		d, _ := jpdoc.ReadBlocks([]byte(text))
		isText := len(d.Content) == 1 && d.Content[0].Text() == strings.ToValidUTF8(text, "\uFFFD")
		if wire.LooksLikeBlocks(text) == isText {
			t.Errorf("%q is text: %v", text, isText)
		}
	})
}
