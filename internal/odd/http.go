package odd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// patience is the maximum time for the answers to a message.
const patience = 10 * time.Second

// An Endpoint is a server that is reached over HTTP.
type Endpoint struct {
	URL    string
	Client *http.Client
}

// Session sends a message in a new session.
func (e Endpoint) Session() Moment {
	return Moment{inSession, func(ctx context.Context, m Message) ([]string, error) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		header := http.Header{}
		_, session, err := e.post(ctx, header, initialize)
		if err != nil {
			return nil, err
		}
		if session == "" {
			return nil, errors.New("the server did not open a session")
		}
		header.Set("Mcp-Session-Id", session)
		header.Set(headerVersion, string(Sessions))
		if _, _, err := e.post(ctx, header, opened); err != nil {
			return nil, err
		}
		answers, _, err := e.post(ctx, header, m.Text)
		return answers, errors.Join(err, e.endSession(ctx, header))
	}}
}

// endSession ends a session.
func (e Endpoint) endSession(ctx context.Context, header http.Header) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, e.URL, nil)
	if err != nil {
		return err
	}
	r.Header = header
	resp, err := e.Client.Do(r)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Sessionless sends a message outside sessions. The header fields depend on
// the message, and otherwise are those of a client of the generation.
func (e Endpoint) Sessionless(g Generation) Moment {
	return Moment{withoutSession, func(ctx context.Context, m Message) ([]string, error) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		answers, session, err := e.post(ctx, fields(g, m.Text), m.Text)
		if session != "" {
			err = errors.Join(err, e.endSession(ctx, http.Header{"Mcp-Session-Id": {session}}))
		}
		return answers, err
	}}
}

const headerVersion = "Mcp-Protocol-Version"

// fields returns the header fields that a client of the generation sends with a message.
func fields(g Generation, text string) http.Header {
	p := partsOf(text)
	header := http.Header{headerVersion: {string(g)}}
	if p.version != "" {
		header[headerVersion] = []string{value(p.version)}
	}
	if header.Get(headerVersion) < string(Requests) {
		return header
	}
	header.Set("Mcp-Method", value(p.method))
	if p.named {
		header["Mcp-Name"] = []string{value(p.name)}
	}
	return header
}

// parts holds the parts of a message that an [Endpoint] repeats in header fields, or that determine which
// fields it sends.
type parts struct {
	empty   bool
	request bool // the message has an id
	method  string
	version string // "" for none
	name    string
	named   bool
}

// partsOf parses a message. It ignores invalid parts.
func partsOf(text string) (p parts) {
	var whole, params, meta map[string]json.RawMessage
	_ = json.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &whole)
	_ = json.Unmarshal(whole["params"], &params)
	_ = json.Unmarshal(params["_meta"], &meta)
	p.empty = strings.Trim(text, " \t\r\n\ufeff") == ""
	_, p.request = whole["id"]
	p.method, _ = textOf(whole["method"])
	p.version, _ = textOf(meta[strings.Trim(keyVersion, `"`)])
	if p.name, p.named = textOf(params["name"]); !p.named {
		p.name, p.named = textOf(params["uri"])
	}
	return p
}

func textOf(value json.RawMessage) (text string, ok bool) {
	ok = len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &text) == nil
	return text, ok
}

// isHeaderValue reports whether text is valid as the value of a header field.
func isHeaderValue(text string) bool {
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	return strings.IndexFunc(text, odd) < 0 && strings.TrimSpace(text) == text
}

// value returns text as the value of a header field, in Base64 if HTTP does not allow the text.
func value(text string) string {
	if isHeaderValue(text) && !strings.HasPrefix(text, "=?") {
		return text
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// post sends a body. It returns the session that was opened, and the messages of the response, or a description
// of the response if it has no messages.
func (e Endpoint) post(ctx context.Context, header http.Header, body string) (answers []string, session string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	r.Header = header.Clone()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := e.Client.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	session = resp.Header.Get("Mcp-Session-Id")
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		answers, err = events(resp.Body, strings.Contains(body, "subscriptions/listen"))
		return answers, session, err
	}
	text, err := io.ReadAll(resp.Body)
	text = bytes.TrimSpace(text)
	switch {
	case err != nil:
	case bytes.Contains(text, []byte(`"jsonrpc"`)) && json.Valid(text):
		answers = []string{string(text)}
	case resp.StatusCode >= 300:
		answers = []string{fmt.Sprintf("HTTP %d %s", resp.StatusCode, text)}
	}
	return answers, session, err
}

// events returns the messages of an event stream. If the stream does not end by itself, it returns only the
// first message.
func events(stream io.Reader, endless bool) (answers []string, err error) {
	lines := bufio.NewReader(stream)
	for {
		line, err := lines.ReadString('\n')
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data:"); ok && strings.TrimSpace(data) != "" {
			answers = append(answers, strings.TrimSpace(data))
			if endless {
				return answers, nil
			}
		}
		if err == io.EOF {
			return answers, nil
		}
		if err != nil {
			return answers, err
		}
	}
}
