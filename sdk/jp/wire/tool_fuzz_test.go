package wire_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/jptool/jptool/sdk/jp/wire"
)

// refused reports whether err is a refusal, and fails for an error of another kind.
func refused(t *testing.T, err error) bool {
	t.Helper()
	if e, ok := errors.AsType[*wire.Error](err); err != nil && (!ok || e.Code == "") {
		t.Fatalf("%v has no code", err)
	}
	return err != nil
}

func FuzzQuestion(f *testing.F) {
	f.Add([]byte(`{"id":"q","text":"t","answer_type":"boolean"}`))
	f.Add([]byte(`{"id":"q","text":"t","pre_amble":"","answer_type":{"type":"select","options":["a","a"]},"default":{"b":1e21,"a":-0.0}}`))
	f.Add([]byte(`["q","t",null,{"Select":{"options":[]}},null]`))
	f.Add([]byte(`{"id":"q","text":"t","answer_type":{"type":"secret","options":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, codec := range codecs() {
			q, err := codec.ReadQuestion(data)
			if refused(t, err) {
				continue
			}
			outcome, err := codec.AppendOutcome(nil, wire.NeedsInput(q))
			if err != nil {
				t.Fatalf("%s reads %q and does not write it: %v", codec.Version(), data, err)
			}
			back, err := codec.ReadOutcome(outcome)
			if err != nil || !reflect.DeepEqual(*back.Question, q) {
				t.Fatalf("%s reads %+v, writes %s, reads %+v (%v)", codec.Version(), q, outcome, back.Question, err)
			}
		}
	})
}

// FuzzContext holds the lax reader to the exact one: what jp_tool takes, a server
// takes for the same.
func FuzzContext(f *testing.F) {
	f.Add([]byte(`{"root":"/w","action":"run","workspace_id":"w","conversation_id":"c","access":null}`))
	f.Add([]byte(`{"root":"","action":{"format_arguments":null},"workspace_id":"","conversation_id":"","access":{"fs":[{"lexical_path":"a","approved_target":"/b","write":true}]}}`))
	f.Add([]byte(`["/w","run",null,"w","c"]`))
	f.Add([]byte(`{"action":"Run","access":{"net":[{"host":"h","port":65536,"allow":true}],"env":[{"name":"A*","read":true}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		lax, laxErr := wire.ReadContextLoose(data)
		refused(t, laxErr)
		c, err := wire.ReadContext(data)
		if refused(t, err) {
			if c, err = lax, laxErr; err != nil || !c.Action.Known() {
				return
			}
		} else if object := bytes.TrimSpace(data)[0] == '{'; object && laxErr == nil && !reflect.DeepEqual(c, lax) {
			t.Fatalf("%q is %+v, and laxly %+v", data, c, lax)
		}
		written := wire.AppendContext(nil, c)
		back, err := wire.ReadContext(written)
		if err != nil || !bytes.Equal(wire.AppendContext(nil, back), written) {
			t.Fatalf("%q is written as %s, which is read as %+v (%v)", data, written, back, err)
		}
	})
}

func FuzzTool(f *testing.F) {
	f.Add([]byte(`{"name":"t","arguments":{"n":9007199254740993},"answers":{"q":null,"p":true,"q":1},"options":{"a":{}}}`))
	f.Add([]byte(`{"name":null,"new":[1e400]}`))
	f.Add([]byte(`null`))
	f.Add([]byte(`{"answers":{"\ud800":1,"":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		call, err := wire.ReadTool(data)
		if refused(t, err) {
			return
		}
		written, err := wire.AppendTool(nil, call)
		if err != nil {
			t.Fatalf("%q is read as %+v and not written: %v", data, call, err)
		}
		back, err := wire.ReadTool(written)
		if err != nil {
			t.Fatalf("%q is written as %s: %v", data, written, err)
		}
		if again, err := wire.AppendTool(nil, back); err != nil || !bytes.Equal(again, written) {
			t.Fatalf("%s is written as %s (%v)", written, again, err)
		}
	})
}
