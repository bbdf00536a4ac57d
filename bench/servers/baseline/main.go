// Command baseline responds like the other servers, but without an SDK and without reading the
// arguments of a call. It measures the cost of a process and its pipes, or of net/http and its
// connections.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/jptool/jptool/bench/internal/probe"
	"github.com/jptool/jptool/bench/internal/search"
)

func main() {
	tools := flag.Int("tools", 1, "number of listed tools")
	addr := flag.String("http", "", "serve over HTTP at this `address` instead of stdio")
	answer := flag.String("answer", "", "`file` with the result that calls over HTTP return")
	flag.Parse()
	stop := probe.Start()
	var err error
	if *addr == "" {
		err = serveLines(*tools)
	} else {
		err = serveHTTP(*addr, *tools, *answer)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	stop()
}

// answers are the results of the requests.
type answers struct{ initialize, list, call []byte }

func newAnswers(tools int) (answers, error) {
	call, err := result()
	if err != nil {
		return answers{}, err
	}
	list, err := list(tools)
	return answers{
		initialize: []byte(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"baseline","version":"1"}}`),
		list:       []byte(list), call: []byte(call),
	}, err
}

// to appends the response to a message, up to the result, to out. It also returns the result. To end
// the response, append "}" after the result. The id must be where the driver writes it.
func (a answers) to(out, message []byte) (head, result []byte) {
	_, rest, ok := bytes.Cut(message, []byte(`"id":`))
	id, rest, ok2 := bytes.Cut(rest, []byte(`,"method":"`))
	if !ok || !ok2 {
		return out, nil
	}
	result = a.call
	switch {
	case bytes.HasPrefix(rest, []byte("initialize")):
		result = a.initialize
	case bytes.HasPrefix(rest, []byte("tools/list")):
		result = a.list
	}
	return append(append(append(out, `{"jsonrpc":"2.0","id":`...), id...), `,"result":`...), result
}

// serveLines responds to each line that has an id.
func serveLines(tools int) error {
	a, err := newAnswers(tools)
	if err != nil {
		return err
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 64<<10), 20<<20)
	var out []byte
	for in.Scan() {
		var result []byte
		if out, result = a.to(out[:0], in.Bytes()); result == nil {
			continue
		}
		out = append(append(out, result...), '}', '\n')
		if _, err := os.Stdout.Write(out); err != nil {
			return err
		}
	}
	return in.Err()
}

// result returns the result of the driver's call.
func result() (string, error) {
	in := search.In{Folder: "inbox/2026", Kind: "note", Limit: 20, Offset: 40, Tags: make([]string, 2), Archived: true}
	in.Window.From = "2026-01-01"
	content, err := json.Marshal(search.Run(in))
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(string(content))
	if err != nil {
		return "", err
	}
	return `{"content":[{"type":"text","text":` + string(text) + `}],"structuredContent":` + string(content) + `,"resultType":"complete"}`, nil
}

func list(n int) (string, error) {
	in, out, err := search.Schemas()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`{"tools":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":%q,"description":%q,"inputSchema":%s,"outputSchema":%s}`,
			search.Name(i+1), search.Description, in, out)
	}
	b.WriteString(`],"resultType":"complete","ttlMs":0,"cacheScope":"private"}`)
	return b.String(), nil
}
