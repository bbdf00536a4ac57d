package engine

import (
	"encoding/json"
	"log/slog"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
)

// The client receives the records at or above its level, with the level next to the data. An attribute
// that has the name of the level stays in the data.
func TestRecordsForTheClient(t *testing.T) {
	var sent []string
	r := &Request{Call: wires.Call{Message: &rpc.Message{Name: []byte("brew")}}, level: levelByName([]byte(`"notice"`)), out: outFunc(func(message []byte) error {
		sent = append(sent, string(message))
		return nil
	})}
	log := slog.New(r.callerLog())
	record := func(level slog.Level, message string, args ...any) {
		r := slog.NewRecord(time.Time{}, level, message, 0)
		r.Add(args...)
		if h := log.Handler(); h.Enabled(t.Context(), level) {
			_ = h.Handle(t.Context(), r)
		}
	}
	record(slog.LevelInfo, "too low")
	record(slog.LevelWarn, "hot", "level", "the water's", "degrees", 90)
	log = log.With("pot", 1).WithGroup("lid")
	record(slog.LevelError+9, "open", "level", slog.LevelInfo)
	want := []string{
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":{"msg":"hot","level":"the water's","degrees":90},"level":"warning","logger":"brew"}}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":{"msg":"open","pot":1,"lid":{"level":"INFO"}},"level":"alert","logger":"brew"}}`,
	}
	if !slices.Equal(sent, want) {
		t.Errorf("sent %q", sent)
	}
}

// A heartbeat follows the last report even if the report has the largest possible value.
func TestHeartbeatAfterTheLargestProgress(t *testing.T) {
	r := newShop(t).call("echo")
	r.out = outFunc(func(message []byte) error {
		if !json.Valid(message) {
			t.Errorf("sent %q", message)
		}
		return nil
	})
	p := &reporter{r: r, token: json.RawMessage("1"), last: -1, beats: time.NewTimer(time.Hour)}
	p.report(math.MaxFloat64, 0, "")
	p.keepAlive()
}
