package wire_test

import (
	"bytes"
	"testing"

	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/wire"
)

func FuzzContext(f *testing.F) {
	f.Add([]byte(`{"root":"/w","action":"run","workspace_id":"w","conversation_id":"c","access":null}`))
	f.Add([]byte(`{"root":"","action":{"format_arguments":null},"workspace_id":"","conversation_id":"","access":{"fs":[{"lexical_path":"a","approved_target":"/b","write":true}]}}`))
	f.Add([]byte(`["/w","run",null,"w","c"]`))
	f.Add([]byte(`{"action":"Run","access":[[["a",false,null,true]],[["h"]],[]]}`))
	f.Add([]byte(`{"action":"Run","access":{"net":[{"host":"h","port":65536,"allow":true}],"env":[{"name":"A*","read":true}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := wire.ReadContext(data)
		if err != nil {
			return
		}
		written := jpdoc.AppendContext(nil, c)
		back, err := wire.ReadContext(written)
		if err != nil || !bytes.Equal(jpdoc.AppendContext(nil, back), written) {
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
		if err != nil {
			return
		}
		written, err := jpdoc.AppendTool(nil, call)
		if err != nil {
			t.Fatalf("%q is read as %+v and not written: %v", data, call, err)
		}
		back, err := wire.ReadTool(written)
		if err != nil {
			t.Fatalf("%q is written as %s: %v", data, written, err)
		}
		if again, err := jpdoc.AppendTool(nil, back); err != nil || !bytes.Equal(again, written) {
			t.Fatalf("%s is written as %s (%v)", written, again, err)
		}
	})
}
