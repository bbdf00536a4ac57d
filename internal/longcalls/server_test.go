package longcalls_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jptool/jptool/internal/longcalls"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/tasks"
	"github.com/jptool/jptool/sdk/tasks/filestore"
	"github.com/jptool/jptool/sdk/tasks/valkeystore"
)

// killAt names the variable with the point at which a server kills itself: the name of a point of Pipeline, or
// "N before" or "N after", where N is the number of an operation that writes to the store.
const killAt = "LONGCALLS_KILL"

// TestMain makes the test program a server if the variable LONGCALLS is set.
func TestMain(m *testing.M) {
	if os.Getenv("LONGCALLS") == "" {
		flag.Parse()
		_ = flag.Set("test.parallel", "16") // most of the time, tests wait for a lease to end
		os.Exit(m.Run())
	}
	server := longcalls.NewServer(&longcalls.Calls{Reached: dieAt})
	filestore.Use(server)
	valkeystore.Use(server)
	server.TaskStore("fatal", func(ctx context.Context, address string) (tasks.Store, error) {
		open := valkeystore.Open
		if address = strings.TrimPrefix(address, "fatal:"); strings.HasPrefix(address, "file:") {
			open = filestore.Open
		}
		inner, err := open(ctx, address)
		return &fatalStore{Store: inner}, err
	})
	sdk.Main(server)
}

// dieAt kills the process at the point that the variable names.
func dieAt(point string) {
	if os.Getenv(killAt) != point {
		return
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // until the signal arrives
}

// A fatalStore kills the process before or after a write.
type fatalStore struct {
	tasks.Store
	writes atomic.Int32
}

func (s *fatalStore) write(f func() error) error {
	n := strconv.Itoa(int(s.writes.Add(1)))
	dieAt(n + " before")
	err := f()
	dieAt(n + " after")
	return err
}

func (s *fatalStore) Create(ctx context.Context, t tasks.Task, limit int) error {
	return s.write(func() error { return s.Store.Create(ctx, t, limit) })
}

func (s *fatalStore) Update(ctx context.Context, t tasks.Task) error {
	return s.write(func() error { return s.Store.Update(ctx, t) })
}

// A server is a process of the server, and its only client.
type server struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	err   bytes.Buffer
	next  int
}

// errDead is returned when the process has ended.
var errDead = errors.New("the server has ended")

// start starts a server that kills itself at a point, or at none for "".
func start(t *testing.T, point string, args ...string) *server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &server{cmd: exec.Command(self, append(args, "--log-level", "error")...)}
	s.cmd.Env = append(os.Environ(), "LONGCALLS=1", killAt+"="+point,
		"JPTOOL_STATE_KEYS=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "GORACE=atexit_sleep_ms=0")
	s.in, err = s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.cmd.Stderr = &s.err
	s.lines = bufio.NewScanner(out)
	s.lines.Buffer(nil, 1<<20)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.stop(); bytes.Contains(s.err.Bytes(), []byte("DATA RACE")) {
			t.Errorf("%s", &s.err)
		}
	})
	return s
}

// stop ends the server as a client does.
func (s *server) stop() {
	_ = s.in.Close() // the process may have ended
	_ = s.cmd.Wait() // it may have been killed
}

// A reply is a response of the server, or a notification.
type reply struct {
	ID     int
	Method string
	Result task
	Params task
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
	text string
}

// A task is the result of a request about a task, or of a call.
type task struct {
	ResultType, TaskID, Status, StatusMessage, CreatedAt, LastUpdatedAt, RequestState string
	TTLMs, PollIntervalMs                                                             int
	InputRequests                                                                     map[string]json.RawMessage
	Result                                                                            *result
	Content                                                                           []struct{ Text string }
	Error                                                                             *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

type result struct {
	ResultType string
	IsError    bool
	Content    []struct{ Text string }
}

// Capabilities of the client in tests.
const (
	withTasks    = `{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	withoutTasks = `{"elicitation":{}}`
)

// write sends a request. params is the inside of an object.
func (s *server) write(method, params, capabilities string) error {
	s.next++
	if params != "" {
		params += ","
	}
	_, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":%s}}}`+"\n",
		s.next, method, params, capabilities)
	if err != nil {
		return errDead
	}
	return nil
}

// send sends a request and returns the response.
func (s *server) send(method, params, capabilities string) (reply, error) {
	if err := s.write(method, params, capabilities); err != nil {
		return reply{}, err
	}
	for {
		r, err := s.read()
		if err != nil || r.ID == s.next {
			return r, err
		}
	}
}

// listen begins a subscription, and returns its acknowledgement or its error.
func (s *server) listen(params, capabilities string) (reply, error) {
	if err := s.write("subscriptions/listen", params, capabilities); err != nil {
		return reply{}, err
	}
	return s.read()
}

func (s *server) read() (reply, error) {
	if !s.lines.Scan() {
		return reply{}, errDead
	}
	r := reply{text: s.lines.Text()}
	if err := json.Unmarshal(s.lines.Bytes(), &r); err != nil {
		return r, fmt.Errorf("%w: %s", err, r.text)
	}
	return r, nil
}

// must sends a request that a living server answers with a result.
func (s *server) must(t *testing.T, method, params string) task {
	t.Helper()
	r := s.answer(t, method, params, withTasks)
	if r.Error != nil {
		t.Fatalf("%s: %s", method, r.text)
	}
	return r.Result
}

// answer sends a request that a living server answers.
func (s *server) answer(t *testing.T, method, params, capabilities string) reply {
	t.Helper()
	r, err := s.send(method, params, capabilities)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// call begins a task and returns its id.
func (s *server) call(t *testing.T, tool, arguments string) string {
	t.Helper()
	got := s.must(t, "tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, tool, arguments))
	if got.ResultType != "task" || got.TaskID == "" {
		t.Fatalf("the call did not become a task: %+v", got)
	}
	return got.TaskID
}

// await asks for a task until its status is not working.
func (s *server) await(t *testing.T, id string) task {
	t.Helper()
	for {
		if got := s.must(t, "tasks/get", fmt.Sprintf(`"taskId":%q`, id)); got.Status != "working" {
			return got
		}
	}
}
