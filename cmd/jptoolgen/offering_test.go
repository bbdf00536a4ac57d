package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// serveOffering runs a server with a contract that has a template and a prompt. Both ask the question q, in a way that the
// client supports, or fail if it supports none. If the first argument is an MCP version, it supports only that version.
func serveOffering() {
	lines := json.NewDecoder(os.Stdin)
	var pending offerRequest // the request whose question was asked in a session
	elicits := false
	for {
		var m offerRequest
		if err := lines.Decode(&m); err == io.EOF {
			return
		} else if err != nil {
			os.Exit(4)
		}
		const capabilities = `"capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{}}`
		switch m.Method {
		case "server/discover":
			if len(os.Args) > 1 {
				m.fail(-32601, "unknown method", "null")
				continue
			}
			m.result(`{"supportedVersions":["2026-07-28"],"serverInfo":{"name":"notes","version":"1"},` + capabilities + `}`)
		case "initialize":
			_, elicits = m.Params.Capabilities["elicitation"]
			m.result(`{"protocolVersion":"2025-11-25","serverInfo":{"name":"notes","version":"1"},` + capabilities + `}`)
		case "tools/list":
			m.result(`{"tools":[],"_meta":{"computer.jp/contract":` + offeringContract + `}}`)
		case "resources/list":
			m.result(`{"resources":[{"uri":"note://tea","name":"Tea"},{"uri":"note://milk","name":"Milk"},{"uri":"other://x","name":"x"}]}`)
		case "resources/templates/list":
			m.result(`{"resourceTemplates":[{"uriTemplate":"note://{id}{?lang}","name":"note","description":"Returns a note."}]}`)
		case "prompts/list":
			m.result(`{"prompts":[{"name":"summarize","description":"Asks for a summary.","arguments":[{"name":"id","required":true},{"name":"words"}]}]}`)
		case "completion/complete":
			m.complete()
		case "resources/read", "prompts/get":
			pending = m
			m.get(elicits)
		case "":
			if m.Result != nil {
				pending.answered(m.Result)
			}
		}
	}
}

type offerRequest struct {
	ID     json.RawMessage
	Method string
	Params struct {
		URI, Name      string
		Arguments      json.RawMessage
		Ref            map[string]string
		Argument       struct{ Name, Value string }
		Context        json.RawMessage
		Capabilities   map[string]json.RawMessage
		Meta           map[string]json.RawMessage `json:"_meta"`
		InputResponses struct{ Q json.RawMessage }
	}
	Result json.RawMessage
}

func (m *offerRequest) result(result string) { m.respond(`"result":` + result) }

func (m *offerRequest) fail(code int, message, data string) {
	m.respond(fmt.Sprintf(`"error":{"code":%d,"message":%q,"data":%s}`, code, message, data))
}

func (m *offerRequest) respond(member string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, member)
}

func (m *offerRequest) complete() {
	var values []string
	for _, v := range []string{"tea", "milk", "mint"} {
		if strings.HasPrefix(v, m.Params.Argument.Value) {
			values = append(values, v)
		}
	}
	text, _ := json.Marshal(values)
	m.result(fmt.Sprintf(`{"completion":{"values":%s,"hasMore":%t}}`, text, m.Params.Argument.Value == ""))
}

// get reads a note or gets the prompt. The note tea, and every prompt, asks a question first.
func (m *offerRequest) get(elicits bool) {
	question := `"method":"elicitation/create","params":{"message":"Sure?","_meta":{"computer.jp/question":{"tool":"` + cmp.Or(m.Params.Name, "note") + `","id":"q"}},"requestedSchema":{"type":"object","properties":{"answer":{"type":"boolean"}},"required":["answer"]}}`
	var client map[string]json.RawMessage
	_ = json.Unmarshal(m.Params.Meta["io.modelcontextprotocol/clientCapabilities"], &client)
	_, modern := m.Params.Meta["io.modelcontextprotocol/protocolVersion"]
	_, asks := client["elicitation"]
	switch {
	case strings.HasPrefix(m.Params.URI, "note://milk"):
		m.answered(json.RawMessage(`{"content":{"answer":"not asked"}}`))
	case m.Params.URI != "" && !strings.HasPrefix(m.Params.URI, "note://tea"):
		m.fail(-32602, "not_found: there is no resource "+m.Params.URI, `{"code":"not_found"}`)
	case modern && m.Params.InputResponses.Q != nil:
		m.answered(m.Params.InputResponses.Q)
	case modern && asks:
		m.result(`{"resultType":"input_required","requestState":"x","inputRequests":{"q":{` + question + `}}}`)
	case elicits:
		fmt.Printf(`{"jsonrpc":"2.0","id":"x",%s}`+"\n", question)
	default:
		m.fail(-32603, "input_unavailable: this client cannot ask: Sure?",
			`{"code":"input_unavailable","details":{"question":"q","message":"Sure?","schema":{"type":"boolean"}}}`)
	}
}

// answered returns the result, which repeats the request and the answer.
func (m *offerRequest) answered(response json.RawMessage) {
	var r struct{ Content struct{ Answer any } }
	if json.Unmarshal(response, &r) != nil {
		os.Exit(4)
	}
	var said struct{ Options json.RawMessage }
	_ = json.Unmarshal(m.Params.Meta["computer.jp/tool"], &said)
	text := fmt.Sprintf("%s%s%s, told %v, options %s", m.Params.URI, m.Params.Name, m.Params.Arguments, r.Content.Answer, said.Options)
	quoted, _ := json.Marshal(text)
	if m.Params.URI != "" {
		m.result(fmt.Sprintf(`{"contents":[{"uri":%q,"text":%s},{"uri":"x://y","text":"second"}]}`, m.Params.URI, quoted))
		return
	}
	m.result(fmt.Sprintf(`{"messages":[{"role":"user","content":{"type":"text","text":%s}},{"role":"assistant","content":{"type":"text","text":"Yes."}}]}`, quoted))
}

const offeringContract = `{"format":1,"name":"notes","description":"Keeps notes.","clients":"jp","unknown":"ignore","tools":[],` +
	`"resource_templates":[{"uri_template":"note://{id}{?lang}","name":"note","description":"Returns a note.","lists":true,"completes":["id"],` +
	`"input":{"type":"object","properties":{"id":{"type":"string","description":"Its id."},"lang":{"type":"string","enum":["de","en"]}},"required":["id"]},` +
	`"questions":[{"id":"q","kind":"confirm","description":"Sure?","schema":{"type":"boolean"}}],` +
	`"options":{"type":"object","properties":{"size":{"type":"integer"},"token":{"type":"string","writeOnly":true,"format":"password"}}}}],` +
	`"prompts":[{"name":"summarize","description":"Asks for a summary.","completes":["id"],` +
	`"input":{"type":"object","properties":{"id":{"type":"string"},"words":{"type":"integer","maximum":100}},"required":["id"]},` +
	`"questions":[{"id":"q","kind":"confirm","description":"Sure?","schema":{"type":"boolean"}}]}]}`
