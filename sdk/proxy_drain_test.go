//go:build linux && programs

package sdk_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// While clients call tools, one of the processes ends. Its probe fails first, so haproxy sends no request to it when it
// stops accepting them: each call has its answer, and each runs once.
func TestProxyDrainUnderLoad(t *testing.T) {
	p := startBehindProxy(t, "haproxy")
	var answered atomic.Int64
	answers, end, runs, all := make(chan struct{}), make(chan struct{}), int64(0), make(chan struct{})
	goal := make(chan int64, 1)
	go func() { // counts the runs, until there are as many as there must be
		defer close(all)
		for want, deadline := int64(-1), time.After(time.Minute); want < 0 || runs < want; {
			select {
			case e := <-p.ledgers:
				runs += int64(strings.Count(e.text, "begin"))
			case want = <-goal:
			case <-deadline:
				return
			}
		}
	}()
	var callers sync.WaitGroup
	for caller := range 8 {
		callers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-end:
					return
				default:
				}
				text := fmt.Sprintf("call %d of %d", i, caller)
				req := p.request(t.Context(), t, modernBody("echo", fmt.Sprintf(`{"text":%q}`, text), ""), modernCall("echo")...)
				resp, err := p.client().Do(req)
				if err != nil {
					t.Errorf("%s: %v", text, err)
					return
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != http.StatusOK || strings.Count(string(body), `"text":"`+text) != 1 {
					t.Errorf("%s: %s, %v: %.300s", text, resp.Status, err, body)
					return
				}
				answered.Add(1)
				select {
				case answers <- struct{}{}:
				default:
				}
			}
		})
	}
	more := func() {
		t.Helper()
		for range 100 {
			select {
			case <-answers:
			case <-time.After(30 * time.Second):
				t.Fatal("the calls are not answered")
			}
		}
	}
	more()
	began, one := time.Now(), p.processes[0].cmd
	if err := one.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := one.Wait(); err != nil {
		t.Errorf("the process ended with %v", err)
	}
	if took := time.Since(began); took < 5*time.Second {
		t.Errorf("the process ended after %s, before its grace", took)
	}
	more()
	close(end)
	callers.Wait()
	p.round(t, "echo", `{"text":"last"}`, "", "") // runs after any repetition
	want := answered.Load() + 1
	goal <- want
	<-all
	if runs != want {
		t.Errorf("%d calls were answered, and %d ran", want, runs)
	}
	t.Logf("%d calls", answered.Load())
}
