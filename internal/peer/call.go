package peer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// elicitMethod is how a server asks.
const elicitMethod = "elicitation/create"

// A Call is a call of a tool.
type Call struct {
	Tool      string
	Arguments jsontext.Value
	// Meta is sent beside the arguments.
	Meta map[string]any
	// Silence is how long the tool may run without a report of progress; 0 is that of the limits.
	Silence time.Duration
}

// A Result is what a tool answered (MCP 2025-11-25, Calling tools).
type Result struct {
	// Raw is the result as it came.
	Raw        jsontext.Value            `json:"-"`
	Content    []Block                   `json:"content"`
	Structured jsontext.Value            `json:"structuredContent"`
	IsError    bool                      `json:"isError"`
	Meta       map[string]jsontext.Value `json:"_meta"`
}

// Fault returns the code of a result that failed and its details, "" and nil where the server tells none.
func (r *Result) Fault() (code string, details jsontext.Value) {
	var fault struct {
		Code    string         `json:"code"`
		Details jsontext.Value `json:"details"`
	}
	if json.Unmarshal(r.Meta["computer.jp/error"], &fault) != nil {
		return "", nil
	}
	return fault.Code, fault.Details
}

// A Block is a content block: of text, or of one of the other types, with what they have in common.
type Block struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     string `json:"data"`
	MIMEType string `json:"mimeType"`
	URI      string `json:"uri"`
	Name     string `json:"name"`
	Resource struct {
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType"`
		Text     string `json:"text"`
		Blob     string `json:"blob"`
	} `json:"resource"`
}

// An inputRequired is a result that asks (MCP 2026-07-28, Multi round-trip requests).
type inputRequired struct {
	ResultType    string `json:"resultType"`
	InputRequests map[string]struct {
		Method string         `json:"method"`
		Params jsontext.Value `json:"params"`
	} `json:"inputRequests"`
	RequestState string `json:"requestState"`
}

// Call calls a tool, and answers its questions by [Options].Elicit until there is a result.
func (s *Session) Call(ctx context.Context, c Call) (*Result, error) {
	if c.Silence == 0 {
		c.Silence = s.options.Limits.Silence
	}
	s.transport.listen(ctx)
	p := params{Name: c.Tool, Arguments: c.Arguments}
	for range MaxRounds {
		raw, err := s.callOnce(ctx, c, p)
		if p.InputResponses == nil && s.asksInSession(raw, err) && s.becomeSession(ctx) {
			return s.Call(ctx, c)
		}
		if err != nil {
			return nil, err
		}
		var asked inputRequired
		if json.Unmarshal(raw, &asked) == nil && asked.ResultType == "input_required" {
			if p.InputResponses, err = s.respond(ctx, raw); err != nil {
				return nil, err
			}
			p.RequestState = asked.RequestState
			continue
		}
		return readResult(raw)
	}
	return nil, errRounds
}

// callOnce makes one request of a call. Where the server wants other arguments in headers than its list of tools
// said, the list is read again.
func (s *Session) callOnce(ctx context.Context, c Call, p params) (jsontext.Value, error) {
	call := func() (jsontext.Value, error) {
		p.Meta = map[string]any{}
		maps.Copy(p.Meta, c.Meta)
		if s.options.Progress != nil {
			p.Meta["progressToken"] = s.lastID + 1
		}
		return s.request(ctx, "tools/call", p, c.Silence)
	}
	raw, err := call()
	if e, ok := errors.AsType[*RemoteError](err); ok && e.Code == headerMismatch && s.server.Protocol == Rounds {
		if _, _, err := s.Tools(ctx); err != nil {
			return nil, err
		}
		return call()
	}
	return raw, err
}

// asksInSession reports whether a tool failed since it asks by a request of its server, which version [Rounds]
// does not have. SDKs that speak older versions as well then name the method in the error.
func (s *Session) asksInSession(raw jsontext.Value, err error) bool {
	if s.server.Protocol != Rounds || s.options.Version != "" || s.options.Elicit == nil {
		return false
	}
	if e, ok := errors.AsType[*RemoteError](err); ok {
		return strings.Contains(e.Message, elicitMethod)
	}
	r, err := readResult(raw)
	return err == nil && r.IsError && slices.ContainsFunc(r.Content, func(b Block) bool { return strings.Contains(b.Text, elicitMethod) })
}

// becomeSession makes s a session of an older version, and reports whether the server has them. A server that names
// no older version may still have.
func (s *Session) becomeSession(ctx context.Context) bool {
	o := s.options
	o.Version = Sessions
	other, err := open(ctx, o, s.connect)
	if err != nil {
		s.options.Version = Rounds
		return false
	}
	if o.Note != nil {
		o.Note(fmt.Sprintf("the tool cannot ask in version %s of MCP: it is called again in a session", Rounds))
	}
	_ = s.transport.close() // how it ended does not matter any more
	*s = *other
	return true
}

func readResult(raw jsontext.Value) (*Result, error) {
	r := &Result{Raw: raw}
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, fmt.Errorf("tools/call: %w: %w", ErrMalformed, err)
	}
	return r, nil
}

// respond answers every question of a result.
func (s *Session) respond(ctx context.Context, raw jsontext.Value) (map[string]Response, error) {
	var asked inputRequired
	if err := json.Unmarshal(raw, &asked); err != nil {
		return nil, fmt.Errorf("tools/call: %w: %w", ErrMalformed, err)
	}
	if len(asked.InputRequests) == 0 && asked.RequestState == "" || s.options.Elicit == nil && len(asked.InputRequests) > 0 {
		return nil, fmt.Errorf("tools/call: %w: it wants input that it was told nobody can give", ErrMalformed)
	}
	responses := make(map[string]Response, len(asked.InputRequests))
	for _, key := range slices.Sorted(maps.Keys(asked.InputRequests)) {
		q := asked.InputRequests[key]
		if q.Method != elicitMethod {
			return nil, fmt.Errorf("tools/call: the server wants %.60q, which this client does not do", q.Method)
		}
		response, err := s.elicit(ctx, key, q.Params)
		if err != nil {
			return nil, err
		}
		responses[key] = response
	}
	return responses, nil
}
