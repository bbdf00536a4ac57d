package drive

import (
	"bufio"
	"strings"
	"testing"
)

func TestReceive(t *testing.T) {
	const event = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"
	tests := []struct {
		name, text string
		want       Response
		message    string
	}{
		{"length", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\ncontent-length: 7\r\n\r\n{\"a\":1}",
			Response{Status: 200}, `{"a":1}`},
		{"chunks", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n" +
			"6\r\ndata: \r\n2\r\n\n\n\r\n3b\r\n" + event + "\r\n0\r\n\r\n", Response{Status: 200, Events: true}, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"session", "HTTP/1.1 202 Accepted\r\nMcp-Session-Id: abc\r\nContent-Length: 0\r\n\r\n", Response{Status: 202, Session: "abc"}, ""},
		{"continue", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", Response{Status: 204}, ""},
		{"to the end", "HTTP/1.1 500 Oh\r\nConnection: close\r\n\r\nwords", Response{Status: 500, Closed: true}, "words"},
	}
	for _, test := range tests {
		c := &Conn{in: bufio.NewReader(strings.NewReader(test.text))}
		got, err := c.Receive()
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if message := string(got.Message()); message != test.message {
			t.Errorf("%s: the message is %q, not %q", test.name, message, test.message)
		}
		if got.Status != test.want.Status || got.Session != test.want.Session || got.Events != test.want.Events || got.Closed != test.want.Closed {
			t.Errorf("%s: %+v, not %+v", test.name, got, test.want)
		}
	}
	for _, text := range []string{"", "hello\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"} {
		c := &Conn{in: bufio.NewReader(strings.NewReader(text))}
		if r, err := c.Receive(); err == nil {
			t.Errorf("%q was accepted as a response: %+v", text, r)
		}
	}
}
