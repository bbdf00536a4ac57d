package engine

import (
	"encoding/json"
	"testing"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A program that uses go-sdk's server may send requests without params. Null is not valid as params.
func TestRequestWithoutParams(t *testing.T) {
	sent := make(chan string, 1)
	s := New(nil, Options{Contract: new(manifest.Server)}).NewSession(nil, handler.Caller{})
	go s.Ask(t.Context(), outFunc(func(message []byte) error {
		select {
		case sent <- string(message):
		default: // the end of the test cancels the request
		}
		return nil
	}), "ping", json.RawMessage(nil))
	if got := <-sent; got != `{"jsonrpc":"2.0","id":1,"method":"ping"}` {
		t.Errorf("sent %s", got)
	}
}

// An outFunc sends messages with a function.
type outFunc func(message []byte) error

func (f outFunc) Send(message []byte) error { return f(message) }
func (outFunc) Answer(*rpc.Answer) error    { return nil }
func (outFunc) CanSend() bool               { return true }
