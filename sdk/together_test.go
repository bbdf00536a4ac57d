package sdk_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture/kinds"
	"github.com/jptool/jptool/sdk"
)

// invite calls the Invite tool in rounds on one connection.
type invite struct {
	t     *testing.T
	conn  net.Conn
	lines *bufio.Reader
}

func serveInvite(t *testing.T) *invite {
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- kinds.NewServer(&kinds.Kinds{}).Serve(t.Context(), theirs, sdk.Options{}) }()
	t.Cleanup(func() {
		ours.Close()
		<-served
	})
	return &invite{t, ours, bufio.NewReader(ours)}
}

// round sends the answers with a state. It returns the ids of the next questions, their state, and
// the result.
func (v *invite) round(arguments, state, responses string) (asked, next, result string) {
	v.t.Helper()
	extra := ""
	if state != "" {
		extra = fmt.Sprintf(`,"requestState":%q,"inputResponses":%s`, state, responses)
	}
	fmt.Fprintf(v.conn, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"invite","arguments":%s,"_meta":%s%s}}`+"\n", arguments, modernMeta, extra)
	line, err := v.lines.ReadString('\n')
	if err != nil {
		v.t.Fatal(err)
	}
	var got struct{ Result round }
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		v.t.Fatal(err)
	}
	for _, c := range got.Result.Content {
		result += c["text"]
	}
	return strings.Join(slices.Sorted(maps.Keys(got.Result.InputRequests)), " "), got.Result.State, result
}

// In the version with rounds, questions that are asked together are in one result. Each answer is kept
// until all have arrived.
func TestTogetherInRounds(t *testing.T) {
	const (
		one   = `{"guests":["ada"]}`
		two   = `{"guests":["ada","bob"]}`
		host  = `"host":{"action":"accept","content":{"answer":"Cleo"}}`
		hour  = `"hour":{"action":"accept","content":{"answer":20}}`
		ada   = `"sure-ada":{"action":"accept","content":{"answer":true}}`
		short = `"host":{"action":"accept","content":{"answer":"C"}}`
		again = `"host--2":{"action":"accept","content":{"answer":"Cleo"}}`
		no    = `"hour":{"action":"decline"}`
		esc   = `"sure-ada":{"action":"cancel"}`
		named = `input_declined: question "hour" was declined: At which hour?; question "sure-ada" was canceled: Invite ada?`
	)
	for name, tc := range map[string]struct {
		arguments string
		rounds    []string // the responses of each round, and the questions or the result that follow
	}{
		"all at once":         {one, []string{host + "," + hour + "," + ada, "Cleo at 20, guests [true]"}},
		"in another order":    {one, []string{ada + "," + hour + "," + host, "Cleo at 20, guests [true]"}},
		"with others":         {one, []string{`"sure-bob":{"action":"accept","content":{"answer":true}},"x":7,` + ada + "," + hour + "," + host, "Cleo at 20, guests [true]"}},
		"one by one":          {one, []string{host, "hour sure-ada", ada, "hour", hour, "Cleo at 20, guests [true]"}},
		"null for one":        {one, []string{`"host":null,` + hour + "," + ada, "host", host, "Cleo at 20, guests [true]"}},
		"no answer":           {one, []string{``, "host hour sure-ada", hour, "host sure-ada"}},
		"an answer too late":  {one, []string{host, "hour sure-ada", `"host":{"action":"accept","content":{"answer":"Dora"}},` + hour + "," + ada, "Cleo at 20, guests [true]"}},
		"one does not fit":    {one, []string{short + "," + hour, "host--2 sure-ada", ada, "host--2", again, "Cleo at 20, guests [true]"}},
		"without an action":   {one, []string{host + `,"hour":{},` + ada, `the action for question "hour" must be accept, decline or cancel`}},
		"two are refused":     {one, []string{host + "," + no + "," + esc, named}},
		"some are refused":    {`{"guests":["ada"],"partly":true}`, []string{no + "," + ada, "host", host, "Cleo at 0, guests [true]"}},
		"about several":       {two, []string{host + "," + hour + "," + ada, "sure-bob", `"sure-bob":{"action":"accept","content":{"answer":false}}`, "guests [true false]"}},
		"the one is not both": {two, []string{host + "," + hour + `,"sure":{"action":"accept","content":{"answer":true}}`, "sure-ada sure-bob"}},
	} {
		t.Run(name, func(t *testing.T) {
			v := serveInvite(t)
			_, state, _ := v.round(tc.arguments, "", "")
			for i := 0; i < len(tc.rounds); i += 2 {
				asked, next, result := v.round(tc.arguments, state, "{"+tc.rounds[i]+"}")
				if want := tc.rounds[i+1]; asked != want && (asked != "" || !strings.Contains(result, want)) {
					t.Fatalf("after %s: asked %q, returned %q; want %s", tc.rounds[i], asked, result, want)
				}
				state = next
			}
		})
	}
}

// Two clients answer the same call, and one of them sends an old state again. Each state has only the answers
// that were sent with it.
func TestTogetherFromOldStates(t *testing.T) {
	v := serveInvite(t)
	const arguments = `{"guests":[]}`
	asked, first, _ := v.round(arguments, "", "")
	if asked != "host hour" {
		t.Fatalf("asked %q", asked)
	}
	_, ann, _ := v.round(arguments, first, `{"host":{"action":"accept","content":{"answer":"Ann"}}}`)
	_, bob, _ := v.round(arguments, first, `{"host":{"action":"accept","content":{"answer":"Bob"}}}`)
	for state, want := range map[string]string{ann: "Ann at 9", bob: "Bob at 9"} {
		if _, _, result := v.round(arguments, state, `{"hour":{"action":"accept","content":{"answer":9}}}`); !strings.Contains(result, want) {
			t.Errorf("returned %q, want %q", result, want)
		}
	}
	if asked, _, _ := v.round(arguments, first, `{"hour":{"action":"accept","content":{"answer":9}}}`); asked != "host" {
		t.Errorf("the first state again: asked %q", asked)
	}
}

// A local tool sends questions that are asked together in one document if it uses content blocks, and one at
// a time if it uses Outcomes.
func TestTogetherAsLocalTool(t *testing.T) {
	for _, tc := range []struct{ version, answers, want string }{
		{"--jp=blocks", `{}`, "host hour sure-ada"},
		{"--jp=blocks", `{"hour":"20","other":1}`, "host sure-ada"},
		{"--jp=blocks", `{"hour":20,"host":"C","sure-ada":true}`, "host--2"},
		{"--jp=blocks", `{"hour":20,"host":"C","host--2":"Cleo","sure":true}`, "Cleo at 20, guests [true]"},
		{"--jp", `{}`, "host"},
		{"--jp", `{"host":"Cleo","sure-ada":true}`, "hour"},
		{"--jp=outcome-082", `{"host":"Cleo","hour":"20","sure":false}`, "Cleo at 20, guests [false]"},
	} {
		var out, errs bytes.Buffer
		kinds.NewServer(&kinds.Kinds{}).Run(t.Context(), []string{tc.version, "call", "invite", `{"arguments":{"guests":["ada"]},"answers":` + tc.answers + `}`},
			&sdk.Streams{In: io.NopCloser(strings.NewReader("")), Out: writeCloser{&out}, Err: &errs})
		var asked []string
		for _, part := range strings.Split(out.String(), `"question":{"id":"`)[1:] {
			id, _, _ := strings.Cut(part, `"`)
			asked = append(asked, id)
		}
		if got := strings.Join(asked, " "); got != tc.want && (got != "" || !strings.Contains(out.String(), tc.want)) {
			t.Errorf("%s %s: %s%s; want %s", tc.version, tc.answers, &out, &errs, tc.want)
		}
	}
}

func TestOptionOfServerWithoutOptions(t *testing.T) {
	var out, errs bytes.Buffer
	status := kinds.NewServer(&kinds.Kinds{}).Run(t.Context(), []string{"--option", "x=1"},
		&sdk.Streams{In: io.NopCloser(strings.NewReader("")), Out: writeCloser{&out}, Err: &errs})
	if want := `--option "x": the server has no options`; status != sdk.ExitUsage || !strings.Contains(errs.String(), want) {
		t.Errorf("status %d, %s; want %q", status, &errs, want)
	}
}
