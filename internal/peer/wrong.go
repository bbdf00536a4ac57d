package peer

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/lazyregexp"
)

const (
	// shortWait is the time in which the right response may still arrive after a message that looks like a wrong one.
	shortWait = time.Second
	// longWait is the same for a message that may belong to an earlier request or notification.
	longWait = 3 * time.Second
)

// A doubt holds the first message that is probably a wrong response to the current request. The right response may
// follow: a server may write other text to its output, and may answer notifications.
type doubt struct {
	err     error
	ignored int    // the number of messages that were not the response
	last    []byte // the last of them, if it is not a message
}

// isID reports whether an id is the number id in any notation. Some languages write 1 as 1.0.
func isID(got jsontext.Value, id int64) bool {
	if string(got) == strconv.FormatInt(id, 10) {
		return true
	}
	f, err := strconv.ParseFloat(string(got), 64)
	return got.Kind() == '0' && err == nil && f == float64(id)
}

// wrongID describes a response whose id is not that of the request.
func wrongID(got jsontext.Value, id int64) string {
	if got == nil {
		return fmt.Sprintf("it has no id, but the request has the id %d", id)
	}
	return fmt.Sprintf("it has the id %.60s, but the request has the id %d", got, id)
}

// misaddressed returns the time to wait for the right response, and the doubt about a response with another id. It returns
// nil if the response belongs to a request that the client has abandoned.
func (s *Session) misaddressed(m message, id int64) (time.Duration, error) {
	n, err := strconv.ParseInt(string(m.ID), 10, 64)
	switch earlier := err == nil && n > 0 && n < id; {
	case earlier && s.abandoned[n]:
		return 0, nil
	case m.Error != nil && (m.ID == nil || m.ID.Kind() == 'n'):
		// JSON-RPC 2.0 has this form for a message whose id cannot be read. Some servers answer notifications with it.
		wait := shortWait
		if s.notified > 0 {
			s.notified--
			wait = longWait
		}
		return wait, fmt.Errorf("%w; the response has no id", m.Error)
	case earlier:
		return longWait, fmt.Errorf("%w: %s", ErrMalformed, wrongID(m.ID, id))
	}
	return shortWait, fmt.Errorf("%w: %s", ErrMalformed, wrongID(m.ID, id))
}

// broken returns the time to wait for the right response, and the doubt about text that is not a message. It returns
// nil for text that does not look like a response: a program may print anything.
func broken(text []byte, id int64, err error) (time.Duration, error) {
	if looksLikeAnswer(text, id) {
		return 0, err
	}
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte(`{"`)) || bytes.Contains(text, []byte("jsonrpc")) {
		return shortWait, err
	}
	return 0, nil
}

// answerID matches the id of a message that cannot be parsed.
var answerID = lazyregexp.New(`"id"\s*:\s*([0-9]+)`)

// looksLikeAnswer reports whether an invalid message was probably the response to a request. If so, the client
// does not need to wait for the response.
func looksLikeAnswer(data []byte, id int64) bool {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) || !bytes.Contains(data, []byte(`"jsonrpc"`)) {
		return false
	}
	m := answerID().FindSubmatch(data)
	return m != nil && isID(jsontext.Value(m[1]), id)
}

// describe adds the doubt, and other text from the server, to an error that ends the wait for a response.
func (d *doubt) describe(err error) error {
	switch text := strings.TrimSpace(string(d.last)); {
	case d.err != nil && err != nil:
		return fmt.Errorf("%w; %w", d.err, err)
	case d.err != nil:
		return d.err
	case text != "":
		return fmt.Errorf("%w; it wrote a line that is not a message: %.100q", err, text)
	}
	return err
}

// UnmarshalJSON implements json.Unmarshaler. It accepts the errors of servers that send only a text, or a code that
// is not an integer.
func (e *RemoteError) UnmarshalJSON(data []byte) error {
	var parts struct {
		Code    jsontext.Value `json:"code"`
		Message jsontext.Value `json:"message"`
		Data    jsontext.Value `json:"data"`
	}
	if jsontext.Value(data).Kind() == '"' {
		return json.Unmarshal(data, &e.Message)
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		e.Message = fmt.Sprintf("%.200s", data)
		return nil
	}
	e.Data = parts.Data
	if f, err := strconv.ParseFloat(string(parts.Code), 64); err == nil && f == float64(int(f)) {
		e.Code = int(f)
	}
	if parts.Message == nil {
		e.Message = "it has no message"
	} else if json.Unmarshal(parts.Message, &e.Message) != nil {
		e.Message = fmt.Sprintf("%.200s", parts.Message)
	}
	return nil
}
