package auth_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/auth"
	"github.com/jptool/jptool/sdk/fault"
)

// Each caller has its own quota for each tool, and a refused call says when the next one may succeed.
func TestQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := auth.NewQuota(60, 2)
		take := func(caller string) time.Duration {
			done, wait := q.Take(caller, "find")
			if wait == 0 {
				done()
			}
			return wait
		}
		for range 60 {
			if wait := take("alice"); wait != 0 {
				t.Fatalf("refused for %s within the quota", wait)
			}
		}
		if wait := take("alice"); wait <= 0 || wait > time.Second {
			t.Errorf("after the quota: %s", wait)
		}
		if wait := take("bob"); wait != 0 {
			t.Errorf("another caller waits for %s", wait)
		}
		if done, wait := q.Take("alice", "other"); wait != 0 {
			t.Errorf("another tool waits for %s", wait)
		} else {
			done()
		}
		time.Sleep(time.Second)
		if wait := take("alice"); wait != 0 {
			t.Errorf("after a second: %s", wait)
		}
		q = auth.NewQuota(0, 2)
		one, _ := q.Take("alice", "find")
		two, _ := q.Take("alice", "find")
		if wait := take("alice"); wait <= 0 {
			t.Error("a third concurrent call is allowed")
		}
		one()
		if wait := take("alice"); wait != 0 {
			t.Errorf("after one has ended: %s", wait)
		}
		two()
		for i := range 30_000 { // many callers use little memory, and running calls are not forgotten
			take(fmt.Sprint(i))
		}
	})
}

// The quota holds over HTTP and in process, and the fault is a result that a model can read.
func TestQuotaOfCalls(t *testing.T) {
	h, err := newNotes().Handler(t.Context(), sdk.Options{Quota: auth.NewQuota(1, 0), Log: slog.New(slog.DiscardHandler)}, sdk.HTTPOptions{Path: "/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	s := site{h}
	if status, _, body := s.call("", "whoami"); status != 200 || !strings.Contains(body, "I am") {
		t.Errorf("%d %s", status, body)
	}
	if status, _, body := s.call("", "whoami"); status != 200 || !strings.Contains(body, string(fault.Unavailable)) || !strings.Contains(body, `"retry_after_ms":`) || !strings.Contains(body, `"isError":true`) {
		t.Errorf("%d %s", status, body)
	}
	if status, _, body := read(s.send("/mcp", "", "resources/read", "notes://all", `"uri":"notes://all"`)); status != 200 || !strings.Contains(body, "I am") {
		t.Errorf("a resource: %d %s", status, body)
	}
	if _, _, body := read(s.send("/mcp", "", "resources/read", "notes://all", `"uri":"notes://all"`)); !strings.Contains(body, "too many calls") {
		t.Errorf("a resource again: %s", body)
	}
}
