package auth

import (
	"container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// A Quota limits the calls of each caller to each tool. It implements sdk.Quota.
type Quota struct {
	perMinute, atOnce int

	mu    sync.Mutex
	byKey map[quotaKey]*list.Element
	order list.List // *usage values, used longest ago first
}

type quotaKey struct{ caller, tool string }

// usage is what a caller uses of a tool.
type usage struct {
	key     quotaKey
	calls   *rate.Limiter
	running int
}

const (
	mostUsages = 10_000      // the maximum number of callers and tools that are known
	pause      = time.Second // the time to wait if the end of a running call is not known
)

// NewQuota returns a quota of calls per minute, and of concurrent calls. 0 means no limit. A caller that was idle can
// use the calls of a minute at once.
func NewQuota(perMinute, atOnce int) *Quota {
	return &Quota{perMinute: perMinute, atOnce: atOnce, byKey: map[quotaKey]*list.Element{}}
}

// Take counts a call. If the quota is used up, wait is the time after which another call may succeed. Otherwise, it is
// 0, and done must be called at the end of the call.
func (q *Quota) Take(caller, tool string) (done func(), wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	u := q.of(quotaKey{caller, tool})
	if u == nil || q.atOnce > 0 && u.running >= q.atOnce {
		return nil, pause
	}
	if u.calls != nil {
		r := u.calls.Reserve()
		if wait = r.Delay(); wait > 0 {
			r.Cancel() // a refused call does not count
			return nil, wait
		}
	}
	u.running++
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		u.running--
	}, 0
}

// of returns the usage for a key, or nil if there are too many of callers with running calls. It forgets the one that
// was used longest ago.
func (q *Quota) of(key quotaKey) *usage {
	if at := q.byKey[key]; at != nil {
		q.order.MoveToBack(at)
		return at.Value.(*usage)
	}
	if len(q.byKey) >= mostUsages && !q.forget() {
		return nil
	}
	u := &usage{key: key}
	if q.perMinute > 0 {
		u.calls = rate.NewLimiter(rate.Every(time.Minute/time.Duration(q.perMinute)), q.perMinute)
	}
	q.byKey[key] = q.order.PushBack(u)
	return u
}

// forget drops a usage without running calls, and reports whether there is one.
func (q *Quota) forget() bool {
	for at := q.order.Front(); at != nil; at = at.Next() {
		if u := at.Value.(*usage); u.running == 0 {
			delete(q.byKey, u.key)
			q.order.Remove(at)
			return true
		}
	}
	return false
}
