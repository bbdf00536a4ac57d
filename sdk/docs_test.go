package sdk_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

const wiresPage = "../docs/jp-aware-mcp-tools.md"

// The transcripts in the documentation equal the output of the server. Run with JPTOOL_UPDATE=1 to update them,
// and review the difference.
func TestTranscriptsInTheDocumentation(t *testing.T) {
	data, err := os.ReadFile(wiresPage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for name, record := range map[string]func(*testing.T) string{
		"outcome":     func(t *testing.T) string { return recordMeta(t, "--jp") },
		"outcome-082": func(t *testing.T) string { return recordMeta(t, "--jp=outcome-082") },
		"blocks":      func(t *testing.T) string { return recordMeta(t, "--jp=blocks") },
		"rounds":      recordRounds,
		"elicitation": recordElicitation,
		"nobody":      recordNobody,
		"local":       recordLocal,
	} {
		t.Run(name, func(t *testing.T) {
			block := regexp.MustCompile("(?s)(<!-- transcript: " + name + " -->\n```\n)(.*?)(```\n)")
			found := block.FindStringSubmatch(page)
			if found == nil {
				t.Fatalf("%s has no transcript %q", wiresPage, name)
			}
			got := record(t)
			if found[2] == got {
				return
			}
			if os.Getenv("JPTOOL_UPDATE") == "" {
				t.Errorf("the transcript is out of date, it should be\n%s", got)
				return
			}
			page = strings.Replace(page, found[0], found[1]+got+found[3], 1)
		})
	}
	if page != string(data) {
		if err := os.WriteFile(wiresPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A tape is the text of a transcript.
type tape struct{ strings.Builder }

var sealed = regexp.MustCompile(`"requestState":"[^"]*"`)

func (tp *tape) client(line string) { tp.line("→", line) }
func (tp *tape) server(line string) { tp.line("←", line) }

func (tp *tape) line(arrow, line string) {
	line = sealed.ReplaceAllString(line, `"requestState":"AZk3…"`)
	line = strings.ReplaceAll(line, modernMeta, `{"io.modelcontextprotocol/protocolVersion":"2026-07-28", …}`)
	line = regexp.MustCompile(`"io.modelcontextprotocol/serverInfo":\{[^}]*\}`).ReplaceAllString(line, `"io.modelcontextprotocol/serverInfo":{…}`)
	fmt.Fprintf(tp, "%s %s\n", arrow, line)
}

// exchange sends a line and returns the answer. Both are recorded.
func (p *process) exchange(tp *tape, line string) string {
	p.t.Helper()
	p.send(line)
	tp.client(line)
	answer := p.recv().raw
	tp.server(answer)
	return answer
}

// recordMeta records a host that stores the answers.
func recordMeta(t *testing.T, flag string) string {
	var tp tape
	p := start(t, flag)
	p.exchange(&tp, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stage","arguments":{"hunks":["a"]}}}`)
	p.exchange(&tp, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"stage","arguments":{"hunks":["a"]},"_meta":{"computer.jp/tool":{"answers":{"stage-a":true}}}}}`)
	return tp.String()
}

func recordRounds(t *testing.T) string {
	var tp tape
	p := launch(t)
	const call = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"stage","arguments":{"hunks":["a"]},"_meta":%s%s}}`
	answer := p.exchange(&tp, fmt.Sprintf(call, 1, modernMeta, ""))
	var r struct{ Result round }
	if err := json.Unmarshal([]byte(answer), &r); err != nil {
		t.Fatal(err)
	}
	p.exchange(&tp, fmt.Sprintf(call, 2, modernMeta, fmt.Sprintf(`,"requestState":%q,"inputResponses":%s`, r.Result.State, accepted)))
	return tp.String()
}

func recordElicitation(t *testing.T) string {
	var tp tape
	p := launch(t)
	p.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}}}`)
	p.recv()
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.exchange(&tp, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stage","arguments":{"hunks":["a"]}}}`)
	p.exchange(&tp, `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"answer":true}}}`)
	return tp.String()
}

func recordNobody(t *testing.T) string {
	var tp tape
	start(t).exchange(&tp, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stage","arguments":{"hunks":["a"]}}}`)
	return tp.String()
}

func recordLocal(t *testing.T) string {
	var b strings.Builder
	for _, document := range []string{
		`{"name":"stage","arguments":{"hunks":["a"]},"answers":{},"options":{}}`,
		`{"name":"stage","arguments":{"hunks":["a"]},"answers":{"stage-a":true},"options":{}}`,
	} {
		const context = `{"action":"run","root":"/work","workspace_id":"w","conversation_id":"c"}`
		cmd := command(t, "call", "stage", document, context)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "$ fixture call stage '%s' '%s'\n%s", document, context, out)
	}
	return b.String()
}
