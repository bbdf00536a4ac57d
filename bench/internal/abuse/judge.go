package abuse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// patience is the timeout for a case.
const patience = 5 * time.Second

// probe is the id of the valid call after each case.
const probe = 7001

// headerMismatch is the error code of an HTTP request whose header fields differ from its body.
const headerMismatch = -32020

// hasStringName reports whether the name of the called tool is a string, so that the header of an HTTP request can
// contain the name.
func (c Case) hasStringName() bool { return strings.Contains(c.Line, `"params":{"name":"`) }

// A message is a message from the server.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Result  *outcome        `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`

	line []byte
}

// An outcome is the result of a call.
type outcome struct {
	IsError bool `json:"isError"`
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	Structured    json.RawMessage            `json:"structuredContent"`
	ResultType    string                     `json:"resultType"`
	InputRequests map[string]json.RawMessage `json:"inputRequests"`
	RequestState  string                     `json:"requestState"`
	Tools         []struct {
		Name        string          `json:"name"`
		InputSchema json.RawMessage `json:"inputSchema"`
	} `json:"tools"`
}

// text returns the text blocks of a result as one string.
func (o *outcome) text() string {
	var parts []string
	for _, c := range o.Content {
		parts = append(parts, c.Text)
	}
	return strings.Join(parts, "|")
}

// Judge starts a server, sends the case and then a valid call. The error describes the fault of the
// server.
func Judge(command []string, era request.Era, c Case) error {
	s, err := drive.Start(command, nil, patience)
	if err != nil {
		return err
	}
	defer s.Close()
	if era == request.Sessions {
		err = s.Open()
	} else {
		_, err = s.Ask(request.Call(era, 1, request.Arguments))
	}
	if err != nil {
		return fmt.Errorf("opening: %w", err)
	}
	if err := s.Send(c.Line); err != nil {
		return err
	}
	if err := s.Send(request.Call(era, probe, request.Arguments)); err != nil {
		return err
	}
	answered, alive := false, false
	read := func(line []byte) error {
		m, err := parse(line)
		if err != nil || m.Method != "" {
			return err
		}
		if string(m.ID) == fmt.Sprint(probe) {
			if alive || m.Result == nil || m.Result.IsError {
				return fmt.Errorf("unexpected response to the next call: %s", clip(line))
			}
			alive = true
			return nil
		}
		if answered {
			return fmt.Errorf("unexpected second response: %s", clip(line))
		}
		answered = true
		return c.accepts(m, line)
	}
	for !alive || !answered && c.Want != Silence {
		line, err := s.Line()
		if err != nil {
			return fmt.Errorf("the server exited or did not respond; response to the line: %t, to the next call: %t", answered, alive)
		}
		if err := read(line); err != nil {
			return err
		}
	}
	rest, err := s.End()
	if err != nil {
		return err
	}
	for _, line := range rest {
		if err := read(line); err != nil {
			return err
		}
	}
	return nil
}

// parse parses a line, which must be a JSON-RPC message.
func parse(line []byte) (message, error) {
	m := message{line: line}
	if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" {
		return m, fmt.Errorf("the server wrote an invalid message: %s", clip(line))
	}
	return m, nil
}

// accepts returns an error unless m is the response that c expects.
func (c Case) accepts(m message, line []byte) error {
	refused := m.Error != nil && (m.Error.Code == -32602 || m.Error.Code == headerMismatch && !c.hasStringName()) || m.Result != nil && m.Result.IsError
	ok := false
	switch c.Want {
	case Result:
		ok = m.Result != nil && !m.Result.IsError
	case Refusal:
		ok = refused
	case Failure:
		ok = m.Error != nil && m.Error.Code != 0 && m.Error.Code != -32603
	case Absent:
		ok = m.Error != nil && m.Error.Code == -32601
	case Anything:
		ok = refused || m.Result != nil || m.Error != nil && (m.Error.Code == -32700 || m.Error.Code == -32600)
	}
	id := m.ID
	if id == nil {
		id = json.RawMessage("null")
	}
	if refusal := m.Error != nil && string(id) == "null"; c.Want == Anything && refusal {
		id = json.RawMessage(c.ID) // a line that cannot be parsed has no id
	}
	if !ok || !bytes.Equal(id, []byte(c.ID)) {
		return fmt.Errorf("unexpected response: %s", clip(line))
	}
	if len(line) > 64<<10 {
		return fmt.Errorf("the response had %d bytes", len(line))
	}
	return nil
}

func clip(text []byte) []byte { return bytes.TrimSpace(text[:min(len(text), 200)]) }
