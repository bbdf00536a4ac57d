package longcalls_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/longcalls"
	"github.com/jptool/jptool/sdk"
)

func accept(key string, content any) string {
	text, _ := json.Marshal(map[string]any{key: map[string]any{"action": "accept", "content": content}}) // cannot fail
	return string(text)
}

func update(id, responses string) string {
	return fmt.Sprintf(`"taskId":%q,"inputResponses":%s`, id, responses)
}

func keys(t task) []string {
	var all []string
	for key := range t.InputRequests {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}

// A partial answer leaves the rest open, and an answer that was not asked, or is given twice, has no effect.
func TestPartialAnswers(t *testing.T) {
	t.Parallel()
	s := start(t, "")
	id := s.call(t, "multi_input", "{}")
	if got := keys(s.await(t, id)); !slices.Equal(got, []string{"first", "second"}) {
		t.Fatalf("the task asks %q", got)
	}
	part := map[string]any{"name": "one", "confirm": true}
	for _, responses := range []string{"{}", accept("third", part), accept("first", part), accept("first", part)} {
		if got := s.must(t, "tasks/update", update(id, responses)); got.ResultType != "complete" || got.TaskID != "" {
			t.Errorf("the acknowledgement is %+v", got)
		}
	}
	if got := s.await(t, id); got.Status != "input_required" || !slices.Equal(keys(got), []string{"second"}) {
		t.Fatalf("after one answer: %+v", got)
	}
	if r := s.answer(t, "tasks/update", update(id, `{"second":7}`), withTasks); r.Error == nil || r.Error.Code != -32602 {
		t.Errorf("a malformed answer: %s", r.text)
	}
	s.must(t, "tasks/update", update(id, accept("second", map[string]any{"name": "two", "confirm": true})))
	if got := s.await(t, id); got.Status != "completed" || got.Result.Content[0].Text != "one and two" {
		t.Errorf("the task ended with %+v", got)
	}
	s.must(t, "tasks/cancel", fmt.Sprintf(`"taskId":%q`, id))
	s.must(t, "tasks/update", update(id, accept("second", part)))
	if got := s.await(t, id); got.Status != "completed" {
		t.Errorf("after the end: %+v", got)
	}
}

// A person who mistypes an answer is asked again, under a key that was not used before.
func TestKeysAreNeverUsedAgain(t *testing.T) {
	t.Parallel()
	s := start(t, "")
	id := s.call(t, "confirm_delete", `{"filename":"a"}`)
	seen := map[string]bool{}
	for {
		got := s.await(t, id)
		if got.Status != "input_required" {
			if len(seen) != 3 || !got.Result.IsError || !strings.Contains(got.Result.Content[0].Text, "invalid_answer") {
				t.Errorf("after %d invalid answers: %+v", len(seen), got)
			}
			return
		}
		for _, key := range keys(got) {
			if seen[key] {
				t.Fatalf("key %q is used again", key)
			}
			seen[key] = true
			s.must(t, "tasks/update", update(id, accept(key, map[string]any{"confirm": "perhaps"})))
		}
	}
}

func TestUnknownTasks(t *testing.T) {
	t.Parallel()
	s := start(t, "")
	s.call(t, "confirm_delete", `{"filename":"a"}`)
	var texts []string
	for _, id := range []string{"", "x", "../../etc/passwd", strings.Repeat("A", 26), strings.Repeat("A", 100000)} {
		for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
			r := s.answer(t, method, update(id, "{}"), withTasks)
			if r.Error == nil || r.Error.Code != -32602 {
				t.Fatalf("%s of %.40q: %.300s", method, id, r.text)
			}
			texts = append(texts, r.Error.Message)
		}
	}
	if texts = slices.Compact(texts); len(texts) != 1 {
		t.Errorf("the errors differ: %q", texts)
	}
	for _, method := range []string{"tasks/list", "tasks/result"} {
		if r := s.answer(t, method, `"taskId":"x"`, withTasks); r.Error == nil || r.Error.Code != -32601 {
			t.Errorf("%s: %s", method, r.text)
		}
	}
	for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
		if r := s.answer(t, method, update("x", "{}"), withoutTasks); r.Error == nil || r.Error.Code != -32021 {
			t.Errorf("%s without the extension: %s", method, r.text)
		}
	}
}

// Without the extension, calls of tools with task=auto are plain, and those with task=required are refused.
func TestClientsWithoutTheExtension(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--tasks", "off"}} {
		s := start(t, "", args...)
		client := withoutTasks
		if args != nil {
			client = withTasks
		}
		r := s.answer(t, "tools/call", `"name":"slow_compute","arguments":{"seconds":0,"label":"x"}`, client)
		if r.Error != nil || r.Result.ResultType != "complete" || r.Result.Content[0].Text != "x is computed" {
			t.Errorf("%q: %s", args, r.text)
		}
		want := -32021
		if args != nil {
			want = -32602 // there is no such tool
		}
		if r := s.answer(t, "tools/call", `"name":"failing_job","arguments":{}`, client); r.Error == nil || r.Error.Code != want {
			t.Errorf("%q: %s", args, r.text)
		}
		list := s.answer(t, "tools/list", "", client)
		if strings.Contains(list.text, "failing_job") != (args == nil) {
			t.Errorf("%q: the list of tools is %.200s", args, list.text)
		}
		found := s.answer(t, "server/discover", "", client)
		if strings.Contains(found.text, `"extensions":{"io.modelcontextprotocol/tasks":{}}`) != (args == nil) {
			t.Errorf("%q: the server describes itself as %s", args, found.text)
		}
	}
}

// A call that becomes a task late asks in a round before, and tells its progress in the status afterwards.
func TestPromotion(t *testing.T) {
	t.Parallel()
	s := start(t, "")
	r := s.answer(t, "tools/call", `"name":"test_tool_with_task","arguments":{}`, withTasks)
	if r.Result.ResultType != "input_required" || r.Result.TaskID != "" || r.Result.RequestState == "" {
		t.Fatal(r.text)
	}
	r = s.answer(t, "tools/call", fmt.Sprintf(`"name":"test_tool_with_task","arguments":{},"requestState":%q,"inputResponses":%s`,
		r.Result.RequestState, accept("user_name", map[string]any{"name": "Ada"})), withTasks)
	if r.Result.ResultType != "task" {
		t.Fatal(r.text)
	}
	if got := s.await(t, r.Result.TaskID); got.Status != "completed" || got.Result.Content[0].Text != "Hello, Ada!" {
		t.Errorf("the task ended with %+v", got)
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	s := start(t, "")
	if got := s.await(t, s.call(t, "failing_job", "{}")); got.Status != "completed" || !got.Result.IsError || got.Result.ResultType != "complete" {
		t.Errorf("a fault: %+v", got)
	}
	got := s.await(t, s.call(t, "protocol_error_job", "{}"))
	if got.Status != "failed" || got.Result != nil || got.Error.Code != -32603 || strings.Contains(got.Error.Message, "suite") {
		t.Errorf("a panic: %+v", got)
	}
	id := s.call(t, "slow_compute", `{"seconds":3600,"label":"x"}`)
	for range 2 {
		if got := s.must(t, "tasks/cancel", fmt.Sprintf(`"taskId":%q`, id)); got.ResultType != "complete" || got.Status != "" {
			t.Errorf("the acknowledgement is %+v", got)
		}
	}
	if got := s.await(t, id); got.Status != "cancelled" || got.Result != nil || got.Error != nil {
		t.Errorf("canceled: %+v", got)
	}
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	s := start(t, "")
	id := s.call(t, "confirm_delete", `{"filename":"a"}`)
	s.await(t, id)
	r, err := s.listen(fmt.Sprintf(`"notifications":{"taskIds":[%q,"AAAAAAAAAAAAAAAAAAAAAAAAAA"]}`, id), withoutTasks)
	if err != nil || r.Error == nil || r.Error.Code != -32021 {
		t.Fatal(r.text, err)
	}
	r, err = s.listen(fmt.Sprintf(`"notifications":{"taskIds":[%q,"AAAAAAAAAAAAAAAAAAAAAAAAAA"]}`, id), withTasks)
	if err != nil || !strings.Contains(r.text, fmt.Sprintf(`"notifications":{"taskIds":[%q]}`, id)) {
		t.Fatal(r.text, err)
	}
	var heard []string
	for len(heard) == 0 || heard[len(heard)-1] != "completed" {
		r, err := s.read()
		if err != nil {
			t.Fatal(err)
		}
		if r.Method != "notifications/tasks" {
			continue
		}
		heard = append(heard, r.Params.Status)
		if r.Params.Status == "input_required" {
			params := update(id, accept(keys(r.Params)[0], map[string]any{"confirm": true}))
			if err := s.write("tasks/update", params, withTasks); err != nil {
				t.Fatal(err)
			}
		}
		if r.Params.TaskID != id || !strings.Contains(r.text, "io.modelcontextprotocol/subscriptionId") {
			t.Errorf("a notification: %s", r.text)
		}
	}
	if got := strings.Join(heard, " "); got != "input_required completed" && got != "input_required working completed" {
		t.Errorf("heard %s", got)
	}
}

// A task belongs to its caller, and a caller cannot have more tasks than the server permits.
func TestCallersAndQuotas(t *testing.T) {
	t.Parallel()
	h, err := longcalls.NewServer(&longcalls.Calls{}).Handler(t.Context(), sdk.Options{TasksQuota: 2}, sdk.HTTPOptions{
		Principal: func(r *http.Request) string { return r.Header.Get("X-User") },
	})
	if err != nil {
		t.Fatal(err)
	}
	post := func(user, method, name, params string) reply {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientCapabilities":%s}}}`, method, params, withTasks)
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1/mcp", strings.NewReader(body))
		for name, value := range map[string]string{
			"X-User": user, "Mcp-Method": method, "Mcp-Name": name, "MCP-Protocol-Version": "2026-07-28",
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		} {
			req.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		text := w.Body.Bytes()
		if _, data, ok := bytes.Cut(text, []byte("data: ")); ok {
			text = data
		}
		r := reply{text: w.Body.String()}
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatalf("%v: %q", err, text)
		}
		return r
	}
	create := func(user string) reply {
		return post(user, "tools/call", "confirm_delete", `"name":"confirm_delete","arguments":{"filename":"a"}`)
	}
	id := create("ada").Result.TaskID
	other := strings.Repeat("A", len(id))
	for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
		if r := post("ada", method, id, update(id, "{}")); r.Error != nil {
			t.Errorf("%s: %s", method, r.text)
		}
		foreign, guessed := post("bob", method, id, update(id, "{}")), post("ada", method, other, update(other, "{}"))
		if foreign.Error == nil || foreign.Error.Code != -32602 || foreign.text != guessed.text {
			t.Errorf("%s: %s, but for a guessed id: %s", method, foreign.text, guessed.text)
		}
		if r := post("ada", method, other, update(id, "{}")); r.Error == nil || r.Error.Code != -32020 {
			t.Errorf("%s with another Mcp-Name: %s", method, r.text)
		}
	}
	create("ada")
	if r := create("ada"); r.Result.ResultType == "task" {
		t.Errorf("the third task: %s", r.text)
	}
	required := post("ada", "tools/call", "failing_job", `"name":"failing_job","arguments":{}`)
	if !strings.Contains(required.text, "too many tasks") || !strings.Contains(required.text, `"code":"unavailable"`) {
		t.Errorf("the third task, of a tool that requires tasks: %s", required.text)
	}
	if r := create("bob"); r.Result.ResultType != "task" {
		t.Errorf("the first task of another caller: %s", r.text)
	}
}

// A waiting task has no goroutine, and needs little memory.
func TestWaitingTasks(t *testing.T) {
	const many = 2000
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	server := &server{in: in, lines: bufio.NewScanner(out)}
	ended := make(chan error)
	go func() {
		ended <- longcalls.NewServer(&longcalls.Calls{}).Serve(t.Context(), struct {
			io.Reader
			io.WriteCloser
		}{toServer, fromServer}, sdk.Options{})
	}()
	var ids []string
	filename := strings.Repeat("x", 200)
	begin := heap()
	goroutines := runtime.NumGoroutine()
	for range many {
		ids = append(ids, server.call(t, "confirm_delete", fmt.Sprintf(`{"filename":%q}`, filename)))
	}
	for _, id := range ids {
		server.await(t, id)
	}
	if n := runtime.NumGoroutine() - goroutines; n > 40 {
		t.Errorf("%d waiting tasks have %d goroutines", many, n)
	}
	if each := (heap() - begin) / many; each > 4<<10 {
		t.Errorf("a waiting task needs %d bytes", each)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
