package mcpbridge

import (
	"encoding/json"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// envelope returns {success, data, error} for the end of a call, and nil for a tool
// whose result is content blocks and succeeded: clients that find structured content
// look at nothing else. What is not there is left out, since the published schema has
// no type that allows a null.
func envelope(e Entry, out tool.Result, err error) any {
	w := writer{buf: []byte{'{'}}
	w.name("success")
	switch {
	case err != nil:
		w.buf = append(w.buf, "false"...)
		w.name("error")
		w.fault(fault.From(err))
	case e.Contract.Output == nil:
		return nil
	default:
		w.buf = append(w.buf, "true"...)
		if out.Structured != nil {
			w.name("data")
			w.buf = append(w.buf, out.Structured...)
		}
	}
	return json.RawMessage(append(w.buf, '}'))
}

func (w *writer) fault(f *fault.Error) {
	w.buf = append(w.buf, '{')
	w.name("code")
	w.string(string(f.Code))
	w.name("message")
	w.string(f.Message)
	if len(f.Details) > 0 && encodes(f.Details) {
		w.name("details")
		w.value(f.Details)
	}
	w.name("recoverable")
	w.value(f.Recoverable)
	w.buf = append(w.buf, '}')
}
