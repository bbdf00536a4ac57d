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

// The transcripts in the documentation match the server's output. Run with JPTOOL_UPDATE=1 to update them, and
// review the difference.
func TestTranscriptsInTheDocumentation(t *testing.T) {
	data, err := os.ReadFile(wiresPage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for name, record := range map[string]func(*testing.T) string{
		"outcome":     func(t *testing.T) string { return recordMeta(t, "--jp", staging) },
		"untagged":    func(t *testing.T) string { return recordMeta(t, "--jp=outcome-untagged", staging) },
		"blocks":      func(t *testing.T) string { return recordMeta(t, "--jp=blocks", staging) },
		"rounds":      func(t *testing.T) string { return recordRounds(t, staging) },
		"elicitation": func(t *testing.T) string { return recordElicitation(t, staging) },
		"cannot ask":  func(t *testing.T) string { return recordCannotAsk(t, callOf(1, "stage", `{"hunks":["a"]}`)) },
		"relay": func(t *testing.T) string {
			return recordCannotAsk(t, callOf(1, "erase", `{"path":"a.txt"}`), callOf(2, "erase", `{"path":"a.txt","answer_sure":false}`))
		},
		"local":  func(t *testing.T) string { return recordLocal(t, staging) },
		"plugin": func(t *testing.T) string { return recordPlugin(t, staging) },

		"again outcome":     func(t *testing.T) string { return recordMeta(t, "--jp", naming) },
		"again rounds":      func(t *testing.T) string { return recordRounds(t, naming) },
		"again elicitation": func(t *testing.T) string { return recordElicitation(t, naming) },
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

// A transcript records the messages between a client and a server.
type transcript struct{ strings.Builder }

// contextOfToday is the context that JP sends with every call.
const contextOfToday = `{"action":"run","root":"/work","access":null,"workspace_id":"w","conversation_id":"c"}`

var sealed = regexp.MustCompile(`"requestState":"[^"]*"`)

func (r *transcript) client(line string) { r.line("→", line) }
func (r *transcript) server(line string) { r.line("←", line) }

func (r *transcript) line(arrow, line string) {
	line = strings.ReplaceAll(line, `"computer.jp/context":`+contextOfToday, `"computer.jp/context":{…}`)
	line = sealed.ReplaceAllString(line, `"requestState":"AZk3…"`)
	line = strings.ReplaceAll(line, modernMeta, `{"io.modelcontextprotocol/protocolVersion":"2026-07-28", …}`)
	line = regexp.MustCompile(`"io.modelcontextprotocol/serverInfo":\{[^}]*\}`).ReplaceAllString(line, `"io.modelcontextprotocol/serverInfo":{…}`)
	fmt.Fprintf(r, "%s %s\n", arrow, line)
}

// exchange sends a line, returns the response, and records both in r.
func (p *process) exchange(r *transcript, line string) string {
	p.t.Helper()
	p.send(line)
	r.client(line)
	answer := p.recv().raw
	r.server(answer)
	return answer
}

// A session is a call to record, with its answers in order, each with the id of its question.
type session struct {
	tool, arguments string
	answers         [][2]string
	// skip is the number of messages at the start that are not recorded.
	skip int
}

var (
	staging = session{tool: "stage", arguments: `{"hunks":["a"]}`, answers: [][2]string{{"stage-a", "true"}}}
	naming  = session{tool: "draft", arguments: `{"topic":"tea"}`, answers: [][2]string{{"title", `"A"`}, {"title--2", `"Green"`}}, skip: 1}
)

// play calls round for the call itself and after each answer, with the number of answers so far. It returns
// the part of the transcript to record.
func (s session) play(round func(r *transcript, answers int)) string {
	var skipped, r transcript
	for n := range len(s.answers) + 1 {
		if n < s.skip {
			round(&skipped, n)
		} else {
			round(&r, n)
		}
	}
	return r.String()
}

// firstAnswers returns the first n answers as an object.
func (s session) firstAnswers(n int) string {
	var all []string
	for _, a := range s.answers[:n] {
		all = append(all, fmt.Sprintf("%q:%s", a[0], a[1]))
	}
	return "{" + strings.Join(all, ",") + "}"
}

// recordMeta records a session with a host that stores the answers.
func recordMeta(t *testing.T, flag string, s session) string {
	p := start(t, flag)
	return s.play(func(r *transcript, n int) {
		p.exchange(r, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{`+
			`"computer.jp/tool":{"name":%[2]q,"arguments":%[3]s,"answers":%[4]s,"options":{}},"computer.jp/context":%[5]s}}}`,
			n+1, s.tool, s.arguments, s.firstAnswers(n), contextOfToday))
	})
}

func recordRounds(t *testing.T, s session) string {
	p := launch(t)
	state := ""
	return s.play(func(r *transcript, n int) {
		extra := ""
		if n > 0 {
			last := s.answers[n-1]
			extra = fmt.Sprintf(`,"requestState":%q,"inputResponses":{%q:{"action":"accept","content":{"answer":%s}}}`, state, last[0], last[1])
		}
		answer := p.exchange(r, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":%s%s}}`,
			n+1, s.tool, s.arguments, modernMeta, extra))
		var parsed struct{ Result round }
		if err := json.Unmarshal([]byte(answer), &parsed); err != nil {
			t.Fatal(err)
		}
		state = parsed.Result.State
	})
}

func recordElicitation(t *testing.T, s session) string {
	p := launch(t)
	p.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}}}`)
	p.recv()
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s.play(func(r *transcript, n int) {
		if n == 0 {
			p.exchange(r, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, s.tool, s.arguments))
			return
		}
		p.exchange(r, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"action":"accept","content":{"answer":%s}}}`, n, s.answers[n-1][1]))
	})
}

func recordCannotAsk(t *testing.T, calls ...string) string {
	var r transcript
	p := start(t)
	for _, call := range calls {
		p.exchange(&r, call)
	}
	return r.String()
}

func recordLocal(t *testing.T, s session) string {
	return s.play(func(r *transcript, n int) {
		document := fmt.Sprintf(`{"name":%q,"arguments":%s,"answers":%s,"options":{}}`, s.tool, s.arguments, s.firstAnswers(n))
		cmd := command(t, "call", s.tool, document, contextOfToday)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(r, "$ fixture call %s '%s' '%s'\n%s", s.tool, document, contextOfToday, out)
	})
}

func recordPlugin(t *testing.T, s session) string {
	return s.play(func(r *transcript, n int) {
		line := fmt.Sprintf(`{"type":"init","version":12,"workspace":{"root":"/work","storage":"/work/.jp","id":"w"},"paths":{},"config":{},"args":[],"log_level":0,"output_format":"text",`+
			`"tool":{"action":"run","name":%q,"arguments":%s,"answers":%s,"conversation":"c"}}`, s.tool, s.arguments, s.firstAnswers(n))
		line = strings.Replace(line, `"answers":{},`, "", 1) // JP omits empty answers
		fmt.Fprintln(r, "$ fixture plugin")
		r.client(line)
		for answer := range strings.Lines(string(plugin(t, line+"\n"))) {
			r.server(strings.TrimSuffix(answer, "\n"))
		}
	})
}

// The page about JP's protocol begins with the notice that the protocol is transitional.
func TestTransitionalNotice(t *testing.T) {
	data, err := os.ReadFile(wiresPage)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(data), "# JP-aware MCP tools\n\n> [!IMPORTANT]\n> This protocol is **transitional**") {
		t.Errorf("the page begins with %.120q", data)
	}
}
