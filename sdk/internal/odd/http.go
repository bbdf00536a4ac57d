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

// patience is how long the answers to one message may take.
const patience = 10 * time.Second

// Session sends a message to a URL in a session of its own.
func Session(url string) Moment {
	return Moment{"HTTP session", func(ctx context.Context, m Message) ([]string, error) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		header := http.Header{}
		_, session, err := post(ctx, url, header, initialize)
		if err != nil {
			return nil, err
		}
		if session == "" {
			return nil, errors.New("the server opens no session")
		}
		header.Set("Mcp-Session-Id", session)
		header.Set("MCP-Protocol-Version", string(Sessions))
		if _, _, err := post(ctx, url, header, opened); err != nil {
			return nil, err
		}
		answers, _, err := post(ctx, url, header, m.Text)
		return answers, errors.Join(err, leave(ctx, url, header))
	}}
}

// leave closes a session.
func leave(ctx context.Context, url string, header http.Header) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, url, nil)
	if err != nil {
		return err
	}
	r.Header = header
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Sessionless sends a message to a URL in no session, with the header fields that the
// message asks for, or those of a client of the generation with sessions.
func Sessionless(url string, g Generation) Moment {
	return Moment{"HTTP without a session", func(ctx context.Context, m Message) ([]string, error) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		header := fields(m.Text)
		if g == Sessions && len(header) == 0 {
			header.Set("MCP-Protocol-Version", string(Sessions))
		}
		answers, _, err := post(ctx, url, header, m.Text)
		return answers, err
	}}
}

// fields returns the header fields of a message that names its version.
func fields(text string) http.Header {
	var m struct {
		Method any
		Params struct {
			Name any
			URI  any
			Meta map[string]json.RawMessage `json:"_meta"`
		}
	}
	header := http.Header{}
	_ = json.Unmarshal([]byte(text), &m) // what cannot be read has no field
	var version string
	if json.Unmarshal(m.Params.Meta[strings.Trim(keyVersion, `"`)], &version) != nil || version < string(Requests) {
		return header
	}
	header.Set("MCP-Protocol-Version", value(version))
	if method, ok := m.Method.(string); ok {
		header.Set("Mcp-Method", value(method))
	}
	for _, v := range []any{m.Params.Name, m.Params.URI} {
		if name, ok := v.(string); ok {
			header.Set("Mcp-Name", value(name))
			break
		}
	}
	return header
}

// value returns a text as the value of a header field, in base64 where HTTP cannot carry
// it.
func value(text string) string {
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	if strings.IndexFunc(text, odd) < 0 && strings.TrimSpace(text) == text && !strings.HasPrefix(text, "=?") {
		return text
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// post sends a body and returns the messages that come back, or what stands for them,
// and the session that was opened.
func post(ctx context.Context, url string, header http.Header, body string) (answers []string, session string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	r.Header = header.Clone()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(r)
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

// events returns the messages of a stream of events, or the first of a stream that does
// not end by itself.
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
