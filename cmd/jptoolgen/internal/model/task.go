package model

import (
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// taskTime describes an argument of //jp:tool that is a duration of a task.
type taskTime struct {
	key, usual, hint string
	low, high        time.Duration
}

var taskTimes = []taskTime{
	{"after", "0s", "write a duration up to 1h, such as 10s, or 0", 0, time.Hour},
	{"ttl", "1h", "write a duration from 1s to 720h, such as 1h", time.Second, 30 * 24 * time.Hour},
	{"poll", "1s", "write a duration from 100ms to 1h, such as 2s", 100 * time.Millisecond, time.Hour},
}

// task reads the arguments of //jp:tool about tasks.
func (b *builder) task(line directive.Directive) (t manifest.Task) {
	mode, ok := line.Get("task")
	if ok && mode.Value != "never" {
		t.Mode = manifest.TaskMode(mode.Value)
	}
	for i, to := range []*int{&t.After, &t.TTL, &t.Poll} {
		kind := taskTimes[i]
		a, ok := line.Get(kind.key)
		switch {
		case ok && t.Mode == "":
			b.list.Add(a.Pos, diag.BadArgument, "%s has no effect: calls of this tool never become tasks", kind.key).
				Suggest("write task=auto, or delete %s", kind.key)
			continue
		case t.Mode == "":
			continue
		case !ok:
			a.Value = kind.usual
		}
		d, err := time.ParseDuration(a.Value)
		if err != nil || d < kind.low || d > kind.high || d%time.Millisecond != 0 {
			b.list.Add(a.ValuePos, diag.BadArgument, "invalid %s %q", kind.key, a.Value).Suggest("%s", kind.hint)
			continue
		}
		*to = int(d.Milliseconds())
	}
	return t
}
