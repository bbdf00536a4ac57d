package jpbridge

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/trust"
)

// checkRead fails the test unless err is the caller's fault or the decoded values are JSON.
func checkRead(t *testing.T, arguments json.RawMessage, settings *trust.Settings, err error) {
	t.Helper()
	if err != nil {
		if !errors.Is(err, &fault.Error{Code: fault.InvalidInput}) {
			t.Errorf("no fault of the caller's: %v", err)
		}
		return
	}
	if v := jsontext.Value(arguments); arguments != nil && (!v.IsValid(jsontext.AllowDuplicateNames(true)) || v.Kind() != '{') {
		t.Errorf("arguments are %q", arguments)
	}
	if settings == nil {
		return
	}
	for id, a := range settings.Answers {
		if !jsontext.Value(a).IsValid() {
			t.Errorf("the answer %q is %q", id, a)
		}
	}
	if v := jsontext.Value(settings.Options); len(v) > 0 && (!v.IsValid() || v.Kind() != '{') {
		t.Errorf("options are %q", v)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"computer.jp/tool":{"answers":{"q":true,"p":null},"options":{"a":[1]}}}`))
	f.Add([]byte(`{"computer.jp/context":{"action":"Run","root":"/w","access":{"fs":[]}},"progressToken":1e400}`))
	f.Add([]byte(`{"computer.jp/context":{"action":"format_arguments"},"computer.jp/tool":null}`))
	f.Fuzz(func(t *testing.T, meta []byte) {
		settings, err := Read(meta)
		checkRead(t, nil, settings, err)
	})
}

func FuzzDocuments(f *testing.F) {
	f.Add([]byte(`{"tool":{"name":"t","arguments":{"n":1}},"context":{"action":"run"}}`))
	f.Add([]byte(`{"tool":{"arguments":{"a":1,"a":2},"answers":{"q":1e400}},"context":null}`))
	f.Add([]byte(`{"new":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ReadDocuments(data)
		if err != nil {
			return
		}
		call, err := d.Read()
		checkRead(t, call.Arguments, call.Settings, err)
	})
}

// FuzzStart checks that each line of a command plugin's host is a call of JSON, or a line of text in the answer.
func FuzzStart(f *testing.F) {
	f.Add([]byte(`{"type":"init","version":12,"workspace":{"root":"/w"},"tool":{"name":"t","arguments":{"n":1e400},"answers":{"q":null}}}`))
	f.Add([]byte(`{"type":"init","version":12,"workspace":{"root":""},"tool":{"name":"t","action":"format_arguments","access":{"fs":[]}}}`))
	f.Add([]byte(`{"type":"describe","tool":"\ud800"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		start, err := ReadStart(line)
		switch {
		case err != nil:
			if text := Refusal(err); !jsontext.Value(text).IsValid() || strings.Contains(text, "\n") || !strings.HasPrefix(text, `{"type":"exit","code":1,"reason":"`) {
				t.Errorf("the refusal is %q", text)
			}
		case start.Describe == (start.Tool != ""):
			t.Errorf("%+v", start)
		default:
			checkRead(t, start.Call.Arguments, start.Call.Settings, nil)
		}
	})
}
