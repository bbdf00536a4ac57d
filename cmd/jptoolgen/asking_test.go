package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// serveAsking runs a server without a contract. Its only tool asks the question q once, or again and again if the first
// argument is "forever". It asks in a way that its client supports.
func serveAsking() {
	if i := slices.Index(os.Args, "call"); i > 0 { // JP runs this program as a local tool
		fmt.Print(answerJP(json.RawMessage(os.Args[i+2]), "--jp"))
		return
	}
	lines := json.NewDecoder(os.Stdin)
	var call json.RawMessage // the pending call in a session
	for {
		var m clientMessage
		if err := lines.Decode(&m); err == io.EOF {
			return
		} else if err != nil {
			os.Exit(4)
		}
		switch m.Method {
		case "server/discover":
			m.result(`{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
		case "initialize":
			m.result(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"asking","version":"1"}}`)
		case "tools/list":
			m.result(`{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`)
		case "tools/call":
			call = m.ID
			m.call()
		case "":
			if m.Result != nil {
				clientMessage{ID: call}.receive(m.Result)
			}
		}
	}
}

type clientMessage struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Meta           map[string]json.RawMessage `json:"_meta"`
		InputResponses struct{ Q json.RawMessage }
	}
	Result json.RawMessage
}

const elicitation = `"method":"elicitation/create","params":{"message":"Go on?","requestedSchema":{"type":"object","properties":{"answer":{"type":"boolean"}}}}`

func (m clientMessage) call() {
	_, modern := m.Params.Meta["io.modelcontextprotocol/protocolVersion"]
	flag := os.Args[len(os.Args)-1]
	switch {
	case strings.HasPrefix(flag, "--jp"):
		text, _ := json.Marshal(answerJP(m.Params.Meta["computer.jp/tool"], flag))
		m.result(fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, text))
	case !modern:
		fmt.Printf(`{"jsonrpc":"2.0","id":"x",%s}`+"\n", elicitation)
	case m.Params.InputResponses.Q == nil:
		m.result(`{"resultType":"input_required","requestState":"x","inputRequests":{"q":{` + elicitation + `}}}`)
	default:
		m.receive(m.Params.InputResponses.Q)
	}
}

// receive handles the response to an elicitation.
func (m clientMessage) receive(response json.RawMessage) {
	var r struct{ Content struct{ Answer any } }
	if json.Unmarshal(response, &r) != nil {
		os.Exit(4)
	}
	if os.Args[1] == "forever" {
		m.Params.InputResponses.Q = nil
		m.call()
		return
	}
	m.result(fmt.Sprintf(`{"content":[{"type":"text","text":"told %v"}]}`, r.Content.Answer))
}

func (m clientMessage) result(result string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
}

// answerJP returns an Outcome or content blocks for the metadata that a JP host sends with a call.
func answerJP(tool json.RawMessage, flag string) string {
	var call struct{ Answers map[string]any }
	if tool != nil && json.Unmarshal(tool, &call) != nil {
		os.Exit(4)
	}
	answer, given := call.Answers["q"]
	asks, blocks := !given || os.Args[1] == "forever", flag == "--jp=blocks"
	switch {
	case asks && blocks:
		return `{"content":[{"type":"question","question":{"id":"q","text":"Go on?","schema":{"type":"boolean"}}}],"_meta":{"computer.jp/status":"waiting"}}`
	case asks && flag == "--jp=outcome-untagged":
		return `{"type":"needs_input","question":{"id":"q","text":"Go on?","answer_type":"Boolean"}}`
	case asks:
		return `{"type":"needs_input","question":{"id":"q","text":"Go on?","answer_type":{"type":"boolean"}}}`
	case blocks:
		return fmt.Sprintf(`{"content":[{"type":"text","text":"told %v"}]}`, answer)
	}
	return fmt.Sprintf(`{"type":"success","content":"told %v"}`, answer)
}
