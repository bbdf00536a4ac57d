package streamable

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// workers returns the number of shared goroutines that run requests or wait for one.
func workers() int {
	stacks := make([]byte, 4<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "engine.(*Workers).run(")
}

// With many connections, requests run in shared goroutines. Every call is answered, even while the handlers of
// other calls block, and the goroutines end with the server.
func TestSharedGoroutines(t *testing.T) {
	testInBubble(t, engine.Options{MaxCalls: 40}, Options{shareFrom: 4}, func(t *testing.T, s *server) {
		echo := func(id int) {
			if r := s.do(modern(fmt.Sprint(id), "echo")); r.status != http.StatusOK || !strings.Contains(r.body, `"text":"echo"`) {
				t.Errorf("call %d is answered %d %s", id, r.status, r.body)
			}
		}
		echo(0)
		synctest.Wait() // wait until the connection is closed
		if n := workers(); n != 0 {
			t.Errorf("%d shared goroutines with one connection", n)
		}
		var blocked []*client
		for i := range 30 {
			blocked = append(blocked, s.send(modern(fmt.Sprint(i), "slow")))
			s.waitForCall("slow")
		}
		if n := workers(); n != 27 {
			t.Errorf("%d shared goroutines run the 27 calls", n)
		}
		for i := range 50 {
			echo(i)
		}
		var waiting []*client // calls beyond the limit
		for i := range 20 {
			waiting = append(waiting, s.send(modern(fmt.Sprint(i), "slow")))
		}
		synctest.Wait()
		s.releaseAll()
		for i, c := range append(blocked, waiting...) {
			if r := c.reply(); r.status != http.StatusOK || !strings.Contains(r.body, `"text":"slow"`) {
				t.Errorf("blocked call %d is answered %d %s", i, r.status, r.body)
			}
		}
		synctest.Wait()
		if n := workers(); n == 0 || n > 16 {
			t.Errorf("%d shared goroutines are kept, want 1 to 16", n)
		}
		s.end()
		err := <-s.ended
		s.ended <- err
		synctest.Wait()
		if n := workers(); n != 0 {
			t.Errorf("%d shared goroutines after the end", n)
		}
	})
}
