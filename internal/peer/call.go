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

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/content"
)

// elicitMethod is the method of a request with which the server asks a question.
const elicitMethod = "elicitation/create"

// A Call is a call to a tool.
type Call struct {
	Tool      string
	Arguments jsontext.Value
	// Meta is sent along with the arguments.
	Meta map[string]any
	// Silence is the maximum time without a progress report. 0 means the value in the limits.
	Silence time.Duration
	// Detach makes Call return the id of a task instead of following the task.
	Detach bool
}

// A Result is the result of a tool call (MCP 2025-11-25, Calling tools).
type Result struct {
	// Raw is the unparsed result.
	Raw        jsontext.Value            `json:"-"`
	Content    []Block                   `json:"content"`
	Structured jsontext.Value            `json:"structuredContent"`
	IsError    bool                      `json:"isError"`
	Meta       map[string]jsontext.Value `json:"_meta"`
	// Task is the id of the task that the call became, if the client does not follow it.
	Task string `json:"-"`
}

// Fault returns the code and the details of a failed result, or "" and nil if the server sent none.
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

// A Block is a content block of any type. It has the fields of all types.
type Block struct {
	Type        string   `json:"type"`
	Text        string   `json:"text"`
	Data        string   `json:"data"`
	MIMEType    string   `json:"mimeType"`
	URI         string   `json:"uri"`
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Resource    Contents `json:"resource"`
}

// Blocks returns the content of a result without its annotations. It omits blocks of unknown types.
func (r *Result) Blocks() (all content.Blocks, err error) {
	decoded := func(data []byte, invalid error) []byte {
		err = errors.Join(err, invalid)
		return data
	}
	for _, b := range r.Content {
		switch b.Type {
		case "text":
			all = append(all, content.Text{Text: b.Text})
		case "image":
			all = append(all, content.Image{Data: decoded(Decode(b.Data)), MIMEType: b.MIMEType})
		case "audio":
			all = append(all, content.Audio{Data: decoded(Decode(b.Data)), MIMEType: b.MIMEType})
		case "resource":
			all = append(all, content.Resource{
				URI: b.Resource.URI, MIMEType: b.Resource.MIMEType, Text: b.Resource.Text,
				Blob: decoded(b.Resource.Binary()),
			})
		case "resource_link":
			all = append(all, content.Link{URI: b.URI, Name: b.Name, Title: b.Title, Description: b.Description, MIMEType: b.MIMEType})
		}
	}
	return all, err
}

// An inputRequired is a result that contains questions (MCP 2026-07-28, Multi round-trip requests).
type inputRequired struct {
	ResultType    string         `json:"resultType"`
	InputRequests jsontext.Value `json:"inputRequests"`
	RequestState  string         `json:"requestState"`
}

// Call calls a tool, and answers its questions with [Options].Elicit until there is a result.
func (s *Session) Call(ctx context.Context, c Call) (*Result, error) {
	if c.Silence == 0 {
		c.Silence = s.options.Limits.Silence
	}
	raw, err := s.exchange(ctx, methodCall, params{Name: c.Tool, Arguments: c.Arguments}, c.Meta, c.Silence)
	if err != nil {
		return nil, err
	}
	var t Task
	if s.options.Tasks && json.Unmarshal(raw, &t) == nil && t.ResultType == "task" {
		if t.ID == "" {
			return nil, malformed(methodCall, errors.New("the task has no id"))
		}
		if c.Detach {
			return &Result{Raw: raw, Task: t.ID}, nil
		}
		return s.follow(ctx, &t)
	}
	return readResult(raw)
}

const methodCall = "tools/call"

// exchange makes a request, and answers its questions with [Options].Elicit until there is a result.
func (s *Session) exchange(ctx context.Context, method string, p params, meta map[string]any, silence time.Duration) (jsontext.Value, error) {
	return s.rounds(ctx, method, p, func(p params) (jsontext.Value, error) {
		raw, err := s.once(ctx, method, p, meta, silence)
		if p.InputResponses == nil && s.asksInSession(method, raw, err) && s.becomeSession(ctx) {
			return s.once(ctx, method, p, meta, silence)
		}
		return raw, err
	})
}

// rounds repeats a request with the answers to its questions until there is a result.
func (s *Session) rounds(ctx context.Context, method string, p params, once func(params) (jsontext.Value, error)) (jsontext.Value, error) {
	for questions := 0; questions < MaxRounds; questions += max(1, len(p.InputResponses)) {
		raw, err := once(p)
		if err != nil {
			return nil, err
		}
		var asked inputRequired
		if json.Unmarshal(raw, &asked) != nil || asked.ResultType != "input_required" {
			return raw, nil
		}
		if p.InputResponses, err = s.respond(ctx, method, asked); err != nil {
			return nil, err
		}
		p.RequestState = asked.RequestState
	}
	return nil, errRounds
}

const progressToken = "progressToken"

// once makes one request. If the server requires an argument in a header that its list of tools did not declare, once
// reads the list again and repeats the request.
func (s *Session) once(ctx context.Context, method string, p params, meta map[string]any, silence time.Duration) (jsontext.Value, error) {
	s.transport.listen(ctx)
	call := func() (jsontext.Value, error) {
		p.Meta = map[string]any{}
		maps.Copy(p.Meta, meta)
		if s.options.Progress != nil {
			p.Meta[progressToken] = 0 // request sets it
		}
		if s.options.Log != nil && s.version == Rounds {
			p.Meta["io.modelcontextprotocol/logLevel"] = lowestLevel
		}
		return s.request(ctx, method, p, silence)
	}
	raw, err := call()
	if e, ok := errors.AsType[*RemoteError](err); ok && e.Code == headerMismatch && s.server.Protocol == Rounds && method == methodCall {
		if _, _, err := s.Tools(ctx); err != nil {
			return nil, err
		}
		return call()
	}
	return raw, err
}

// asksInSession reports whether a request failed because the server sends its questions as requests, which version
// [Rounds] does not support. SDKs that also support older versions then mention the method in the error.
func (s *Session) asksInSession(method string, raw jsontext.Value, err error) bool {
	if s.server.Protocol != Rounds || s.options.Version != "" || s.options.Elicit == nil {
		return false
	}
	if e, ok := errors.AsType[*RemoteError](err); ok {
		return strings.Contains(e.Message, elicitMethod)
	}
	if method != methodCall {
		return false
	}
	r, err := readResult(raw)
	return err == nil && r.IsError && slices.ContainsFunc(r.Content, func(b Block) bool { return strings.Contains(b.Text, elicitMethod) })
}

// becomeSession replaces s with a session of an older version. It reports whether the server supports such a
// session. A server may support older versions without listing them.
func (s *Session) becomeSession(ctx context.Context) bool {
	o := s.options
	o.Version = Sessions
	other, err := open(ctx, o, s.connect)
	if err != nil {
		s.options.Version = Rounds
		return false
	}
	if o.Note != nil {
		o.Note(fmt.Sprintf("the tool cannot ask questions in MCP version %s; calling it again in a session", Rounds))
	}
	_ = s.transport.close() // the exit error of the first server is no longer relevant
	*s = *other
	return true
}

func readResult(raw jsontext.Value) (*Result, error) {
	r, _, _, err := loosely[Result](raw, false)
	if err != nil {
		return nil, malformed(methodCall, err)
	}
	r.Raw = raw
	return &r, nil
}

// respond answers all questions in a result of a method, in order.
func (s *Session) respond(ctx context.Context, method string, asked inputRequired) (map[string]Response, error) {
	var requests []rawjson.Member
	if asked.InputRequests != nil && asked.InputRequests.Kind() != 'n' {
		var err error
		if requests, err = rawjson.Members(asked.InputRequests); err != nil {
			return nil, fmt.Errorf("%s: %w: inputRequests: %w", method, ErrMalformed, err)
		}
	}
	if len(requests) == 0 && asked.RequestState == "" || s.options.Elicit == nil && len(requests) > 0 {
		return nil, fmt.Errorf("%s: %w: it requests input although the client declared that it cannot ask", method, ErrMalformed)
	}
	if len(requests) > MaxRounds {
		return nil, errRounds
	}
	responses := make(map[string]Response, len(requests))
	for _, request := range requests {
		var q struct {
			Method string         `json:"method"`
			Params jsontext.Value `json:"params"`
		}
		if err := json.Unmarshal(request.Value, &q); err != nil {
			return nil, fmt.Errorf("%s: %w: cannot parse a question: %s", method, ErrMalformed, reasonOf(err))
		}
		if q.Method != elicitMethod {
			return nil, fmt.Errorf("%s: the server requests %.60q, which this client does not support", method, q.Method)
		}
		response, err := s.elicit(ctx, request.Name, q.Params)
		if err != nil {
			return nil, err
		}
		responses[request.Name] = response
	}
	return responses, nil
}
