package longcalls_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/internal/storetest"
)

// writes is the number of writes to the store by a call of Pipeline that is not killed: the creation, two states, two
// questions with their answers, the results of Once, the begin of the second one, and the outcome.
const writes = 10

// leastWrites is the number of writes if no state and no begin is stored.
const leastWrites = 8

// TestCrashes kills a server at each event of a task. The same program or another process finishes the task.
func TestCrashes(t *testing.T) {
	var points []string
	for n := range writes {
		points = append(points, fmt.Sprintf("%d before", n+1), fmt.Sprintf("%d after", n+1))
	}
	points = append(points, "started", "begun-reserve", "done-reserve", "begun-pay", "done-pay", "computed")
	redis := ""
	t.Run("start", func(t *testing.T) { // skipped without redis-server
		redis = storetest.Redis(t)
		testCrashes(t, points, func(name string) string { return redis + "?prefix=" + name })
	})
	testCrashes(t, points, func(name string) string { return "file:" + filepath.Join(t.TempDir(), name) })
}

func testCrashes(t *testing.T, points []string, address func(name string) string) {
	kind := strings.SplitN(address("x"), ":", 2)[0]
	t.Run(kind, func(t *testing.T) {
		n := 0
		for _, takeover := range []bool{false, true} {
			for _, careful := range []bool{false, true} {
				if careful && !takeover && testing.Short() {
					continue
				}
				for _, point := range points {
					n++
					c := crash{point, takeover, careful, address(fmt.Sprint("s", n))}
					t.Run(fmt.Sprintf("%s/takeover=%t/careful=%t", strings.ReplaceAll(point, " ", "-"), takeover, careful), func(t *testing.T) {
						t.Parallel()
						c.test(t)
					})
				}
			}
		}
	})
}

type crash struct {
	point             string
	takeover, careful bool
	store             string
}

func (c crash) test(t *testing.T) {
	effects := filepath.Join(t.TempDir(), "effects")
	lease := []string{"--tasks-lease", "400ms"}
	next := func() *server { return start(t, "", append(lease, "--tasks-store", c.store)...) }
	s := start(t, c.point, append(lease, "--tasks-store", "fatal:"+c.store)...)
	var other *server
	if c.takeover {
		other = next()
	}
	died := false
	replace := func() {
		if died {
			t.Fatal("the second server has ended, too")
		}
		died = true
		s.stop()
		if s = other; s == nil {
			s = next()
		}
	}
	id := ""
	for id == "" {
		r, err := s.send("tools/call", fmt.Sprintf(`"name":"pipeline","arguments":{"effects":%q,"careful":%t,"step":120}`, effects, c.careful), withTasks)
		if err != nil {
			replace()
			effects += "-2" // the first task, if it was created, goes on for a client that does not know it
		} else if id = r.Result.TaskID; r.Error != nil || id == "" {
			t.Fatal(r.text)
		}
	}
	var end task
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for until := time.Now().Add(30 * time.Second); end.Status == "" || !strings.Contains("completed failed cancelled", end.Status); {
		if time.Now().After(until) {
			t.Fatalf("the task does not end: %+v", end)
		}
		r, err := s.send("tasks/get", fmt.Sprintf(`"taskId":%q`, id), withTasks)
		if err != nil {
			replace()
			continue
		}
		if r.Error != nil {
			t.Fatal(r.text)
		}
		end = r.Result
		responses := map[string]any{}
		for key := range end.InputRequests {
			content := map[string]any{"answer": true}
			if key == "name" {
				content["answer"] = "Ada"
			}
			responses[key] = map[string]any{"action": "accept", "content": content}
		}
		if len(responses) == 0 {
			<-poll.C
			continue
		}
		text, _ := json.Marshal(responses) // cannot fail
		r, err = s.send("tasks/update", fmt.Sprintf(`"taskId":%q,"inputResponses":%s`, id, text), withTasks)
		if err != nil {
			replace()
		} else if r.Error != nil {
			t.Fatal(r.text)
		}
	}
	var n int
	if _, err := fmt.Sscan(c.point, &n); !died && (err != nil || n <= leastWrites) {
		t.Error("the server was not killed")
	}
	c.check(t, end, effects)
}

// check checks that the task has the right result, and that each effect happened once for its key.
func (c crash) check(t *testing.T, end task, effects string) {
	data, err := os.ReadFile(effects)
	if err != nil {
		t.Fatal(err)
	}
	count, keys := map[string]int{}, map[string]map[string]bool{"reserve": {}, "pay": {}}
	for line := range strings.Lines(string(data)) {
		var entry [2]string
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		count[entry[0]]++
		keys[entry[0]][entry[1]] = true
	}
	if len(keys["reserve"]) != 1 || len(keys["pay"]) > 1 || count["reserve"] > 2 || count["pay"] > 2 {
		t.Errorf("effects and their keys: %v %v", count, keys)
	}
	unknown := c.careful && (c.point == "begun-pay" || c.point == "done-pay")
	if end.Status != "completed" || end.Result == nil || len(end.Result.Content) != 1 {
		t.Fatalf("the task ended with %+v", end)
	}
	text := end.Result.Content[0].Text
	switch {
	case c.careful && end.Result.IsError && count["pay"] <= 1 && strings.Contains(text, "it is not known whether that was done"):
		if !unknown && !strings.Contains(c.point, "fter") && !strings.Contains(c.point, "efore") {
			t.Errorf("killed at %s, the effect is unknown", c.point)
		}
	case unknown:
		t.Errorf("killed at %s, the result is %q", c.point, text)
	case end.Result.IsError || text != "seat 17: receipt of Ada" || len(keys["pay"]) != 1:
		t.Errorf("the result is %q, and the effects are %v", text, count)
	}
	if c.careful && count["pay"] > 1 {
		t.Errorf("paid %d times", count["pay"])
	}
}
