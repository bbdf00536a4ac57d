package sdk_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture/kinds"
	"github.com/jptool/jptool/sdk"
)

// In every version that can ask, a client can choose several values, in a form that the version
// supports.
func TestSeveralInEveryVersion(t *testing.T) {
	list := `"message":"Which spices?","requestedSchema":{"type":"object","properties":{"answer":{"type":"array","description":"Spices to use.",` +
		`"items":{"anyOf":[{"const":"salt","title":"Sea salt"},{"const":"oil","title":"Olive oil"},{"const":"chili","title":"Chili, very hot"}]},` +
		`"minItems":1,"maxItems":2}},"required":["answer"]}`
	boxes := `"message":"Which spices? (1 to 2 of \"salt\", \"oil\", \"chili\")","requestedSchema":{"type":"object","properties":{` +
		`"salt":{"type":"boolean","title":"Sea salt","default":false},"oil":{"type":"boolean","title":"Olive oil","default":false},` +
		`"chili":{"type":"boolean","title":"Chili, very hot","default":false}}}`
	for _, tc := range []struct{ version, form, content, want string }{
		{"2025-11-25", list, `{"answer":["oil","salt"]}`, `"id":"dish"`},
		{"2025-11-25", list, `{"salt":true}`, `must be 1 to 2 of`},
		{"2025-06-18", boxes, `{"chili":true,"oil":true,"salt":false}`, `"id":"dish"`},
		{"2025-06-18", boxes, `{"chili":true,"oil":true,"salt":true}`, `must be 1 to 2 of`},
		{"2025-06-18", boxes, `{}`, `must be 1 to 2 of`},
	} {
		ours, theirs := net.Pipe()
		served := make(chan error, 1)
		go func() { served <- kinds.NewServer(&kinds.Kinds{}).Serve(t.Context(), theirs, sdk.Options{}) }()
		lines := bufio.NewReader(ours)
		exchange := func(message string) string {
			t.Helper()
			if _, err := fmt.Fprintln(ours, message); err != nil {
				t.Fatal(err)
			}
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			return line
		}
		exchange(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + tc.version +
			`","capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}}}`)
		asked := exchange(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"season","arguments":{}}}`)
		if !strings.Contains(asked, tc.form) {
			t.Errorf("%s: asked %s, want %s", tc.version, asked, tc.form)
		}
		if next := exchange(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":` + tc.content + `}}`); !strings.Contains(next, tc.want) {
			t.Errorf("%s: %s leads to %s", tc.version, tc.content, next)
		}
		if err := ours.Close(); err != nil {
			t.Error(err)
		}
		<-served // serving may fail, because a question is pending
	}
}

// Clients that can show URLs get the page of a visit, and are notified when the user has finished there.
// Other clients get a fault without the URL, because a model could follow it.
func TestVisits(t *testing.T) {
	const (
		url   = `https://example.com/sign-in?state=1`
		page  = `"mode":"url","elicitationId":"`
		what  = `","url":"` + url + `","message":"Sign in to your account. (example.com)"}`
		fails = `), but this client cannot show the page to its user`
	)
	for _, tc := range []struct{ version, capability string }{
		{"2025-11-25", `{"form":{},"url":{}}`},
		{"2025-11-25", `{"form":{}}`},
		{"2025-11-25", `{}`},
		{"2025-06-18", `{"form":{},"url":{}}`},
	} {
		ours, theirs := net.Pipe()
		served := make(chan error, 1)
		go func() { served <- kinds.NewServer(&kinds.Kinds{}).Serve(t.Context(), theirs, sdk.Options{}) }()
		lines := bufio.NewReader(ours)
		send := func(message string) {
			t.Helper()
			if _, err := fmt.Fprintln(ours, message); err != nil {
				t.Fatal(err)
			}
		}
		read := func() string {
			t.Helper()
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			return line
		}
		send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + tc.version +
			`","capabilities":{"elicitation":` + tc.capability + `},"clientInfo":{"name":"test","version":"1"}}}`)
		read()
		send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"connect","arguments":{"url":"` + url + `"}}}`)
		asked := read()
		if tc.version < "2025-11-25" || !strings.Contains(tc.capability, "url") {
			if !strings.Contains(asked, fails) || strings.Contains(asked, "state=1") {
				t.Errorf("%s %s: got %s", tc.version, tc.capability, asked)
			}
		} else {
			_, id, _ := strings.Cut(asked, page)
			id, rest, _ := strings.Cut(id, `"`)
			if id == "" || !strings.Contains(`"`+rest, what[:len(what)-1]) || strings.Contains(asked, "requestedSchema") {
				t.Errorf("asked %s", asked)
			}
			send(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}`)
			if note := read(); !strings.Contains(note, `"method":"notifications/elicitation/complete","params":{"elicitationId":"`+id+`"}`) {
				t.Errorf("after the end: %s", note)
			}
			if result := read(); !strings.Contains(result, "You are connected.") {
				t.Errorf("the result: %s", result)
			}
		}
		if err := ours.Close(); err != nil {
			t.Error(err)
		}
		<-served
	}
}
