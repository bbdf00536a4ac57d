package peer

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Reports of progress prolong a call, but not forever.
func TestReportsProlongACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		var server sync.WaitGroup
		defer server.Wait()
		server.Go(func() {
			for in := bufio.NewReader(theirs); ; {
				line, err := ReadLine(in, 1<<20)
				var m struct {
					ID     json.RawMessage
					Method string
				}
				if err != nil || json.Unmarshal(line, &m) != nil {
					return
				}
				text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, modern)
				if m.Method == "tools/call" {
					text = fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`, m.ID)
				}
				for {
					if _, err := fmt.Fprintln(theirs, text); err != nil || m.Method != "tools/call" {
						break
					}
					time.Sleep(700 * time.Millisecond)
				}
			}
		})
		s, err := Connect(t.Context(), ours, Options{Limits: DefaultLimits(), Progress: func(Progress) {}})
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		_, err = s.Call(t.Context(), Call{Tool: "t", Silence: time.Second})
		if took := time.Since(begin); !errors.Is(err, ErrSilent) || took != Reports*time.Second {
			t.Errorf("%v after %v", err, took)
		}
		_ = s.Close()
	})
}
