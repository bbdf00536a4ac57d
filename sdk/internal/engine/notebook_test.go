package engine_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/bind"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/encode"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

type (
	noteInput     struct{ ID string }
	noteQuestions struct{ Open elicit.Confirm }
	pageInput     struct {
		Title  string
		Number int
	}
	listInput struct {
		Cursor tool.Cursor `json:"cursor"`
	}
	promptInput struct {
		ID    string
		Style string
		Words int
		Long  bool
	}
	place struct {
		Name string
		X    int
	}
)

func decodeNote(o *decode.Object, in *noteInput) {
	decode.Field(o, "id", &in.ID, decode.String, decode.Required)
}
func encodeNote(o *encode.Object, in *noteInput) { encode.Field(o, "id", &in.ID, encode.String) }
func encodePlace(o *encode.Object, p *place) {
	encode.Field(o, "name", &p.Name, encode.String)
	encode.Field(o, "x", &p.X, encode.Int)
}
func decodePage(o *decode.Object, in *pageInput) {
	decode.Field(o, "title", &in.Title, decode.String, decode.Required)
	decode.Field(o, "number", &in.Number, decode.Int, decode.Required)
}
func decodePrompt(o *decode.Object, in *promptInput) {
	decode.Field(o, "id", &in.ID, decode.String, decode.Required)
	decode.Field(o, "style", &in.Style, decode.String, decode.Default(`"short"`))
	decode.Field(o, "words", &in.Words, decode.Int)
	decode.Field(o, "long", &in.Long, decode.Bool)
}

// notebook returns a server with resources and prompts, as generated code would make it.
func notebook(lists int) *sdk.Server {
	open := manifest.Question{ID: "open", Kind: "confirm", Description: "Opens a locked note.", Schema: manifest.Schema(`{"type":"boolean"}`)}
	contract := &manifest.Server{
		Format: 1, Name: "notebook", Description: "Keeps notes.", Clients: manifest.JP, Unknown: manifest.Ignore,
		Tools: []manifest.Tool{{Name: "echo", Input: manifest.Schema(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)}},
		Resources: []manifest.Resource{
			{URI: "notes://about", Name: "about", Title: "About", MIMEType: "text/plain", TTL: 5000, Icon: "https://example.com/i.png", Meta: manifest.Schema(`{"a":1}`)},
			{URI: "notes://place", Name: "place", Description: "Where it is."},
			{URI: "notes://raw", Name: "raw", MIMEType: "application/octet-stream"},
		},
		Templates: []manifest.Resource{
			{
				URITemplate: "docs://{+path}", Name: "docs", Directory: true,
				Input: manifest.Schema(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
			},
			{
				URITemplate: "disk://files/{+path}", Name: "disk", Directory: true, Files: true,
				Input: manifest.Schema(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
			},
			{
				URITemplate: "book://{title}/pages/{number}", Name: "page", MIMEType: "text/markdown", Fails: []string{"not_found"},
				Input: manifest.Schema(`{"type":"object","properties":{"title":{"type":"string"},"number":{"type":"integer"}},"required":["title","number"]}`),
			},
			{
				URITemplate: "note://{id}", Name: "note", MIMEType: "text/markdown", Questions: []manifest.Question{open}, Lists: lists > 0, Completes: []string{"id"},
				Input: manifest.Schema(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`),
			},
		},
		Prompts: []manifest.Prompt{{
			Name: "summarize", Title: "Summarize a note", Description: "Summarizes.", Questions: []manifest.Question{open}, Completes: []string{"id"},
			Input: manifest.Schema(`{"type":"object","properties":{"id":{"type":"string","description":"The note."},` +
				`"style":{"type":"string","enum":["short","long","longer"]},"words":{"type":"integer","title":"Number of words"},"long":{"type":"boolean"}},"required":["id"]}`),
		}},
	}
	ask := func(set *question.Set) noteQuestions {
		return noteQuestions{bind.Confirm(set, question.Spec{ID: "open", Description: "Opens a locked note."})}
	}
	read := func(ctx context.Context, call *tool.Call, id string, q noteQuestions) (string, error) {
		switch {
		case strings.HasPrefix(id, "locked"):
			if ok, err := q.Open.Ask(ctx, "Open %s?", id); err != nil || !ok {
				return "closed", err
			}
		case id == "none":
			return "", fault.New(fault.NotFound, "there is no note %q", id)
		case id == "panic":
			panic("a secret")
		case id == "down":
			return "", fault.New(fault.Unavailable, "the store is down")
		case id == "progress":
			call.Progress(1, 2, "half")
		}
		return "# " + id, nil
	}
	note := handler.New("note", handler.Codec[noteInput, noteQuestions, handler.None, string]{Kind: handler.Resource, Input: decodeNote, Questions: ask, Result: handler.Text[string]},
		func(ctx context.Context, call *tool.Call, in noteInput, q noteQuestions, _ handler.None) (string, error) {
			return read(ctx, call, in.ID, q)
		})
	note.Completed("id", handler.New("note", handler.Codec[tool.Completion[noteInput], handler.None, handler.None, []string]{Kind: handler.Resource, Input: handler.Completing(decodeNote), Result: handler.Values[[]string]},
		func(_ context.Context, _ *tool.Call, c tool.Completion[noteInput], _, _ handler.None) ([]string, error) {
			if c.Value == "none" {
				return nil, fault.New(fault.Unavailable, "the store is down")
			}
			all := make([]string, 250)
			for i := range all {
				all[i] = fmt.Sprintf("%s%d", c.Value, i)
			}
			return all, nil
		}))
	if lists > 0 {
		note.Listed(handler.New("note", handler.Codec[listInput, handler.None, handler.None, tool.Page[tool.Listed[noteInput]]]{
			Kind: handler.Resource, Input: func(o *decode.Object, in *listInput) { decode.Field(o, "cursor", &in.Cursor, decode.String) }, Result: handler.Listing(encodeNote),
		}, func(_ context.Context, _ *tool.Call, in listInput, _, _ handler.None) (tool.Page[tool.Listed[noteInput]], error) {
			var page tool.Page[tool.Listed[noteInput]]
			from := 0
			if in.Cursor != "" {
				last, err := strconv.Atoi(string(in.Cursor))
				if err != nil {
					return page, err
				}
				from = last + 1
			}
			for i := from; i < min(from+10, lists); i++ {
				page.Items = append(page.Items, tool.Listed[noteInput]{
					Variables: noteInput{fmt.Sprintf("n/%d", i)}, Name: "Note", Size: 3, Annotations: content.Annotations{LastModified: time.Unix(0, 0)},
				})
			}
			page.HasMore, page.After = from+10 < lists, func(i int) string { return strconv.Itoa(from + i) }
			return page, nil
		}))
	}
	type path struct{ Path string }
	decodePath := func(o *decode.Object, in *path) {
		decode.Field(o, "path", &in.Path, decode.String, decode.Required)
	}
	return sdk.NewServer(contract, note,
		handler.New("docs", handler.Codec[path, handler.None, handler.None, fs.FS]{Kind: handler.Resource, Input: decodePath, Result: handler.Directory},
			func(context.Context, *tool.Call, path, handler.None, handler.None) (fs.FS, error) { return docs(), nil }),
		handler.New("disk", handler.Codec[path, handler.None, handler.None, fs.FS]{Kind: handler.Resource, Input: decodePath, Result: handler.Directory},
			func(_ context.Context, call *tool.Call, _ path, _, _ handler.None) (fs.FS, error) {
				files, err := call.Files()
				if err != nil {
					return nil, err
				}
				return files.FS(), nil
			}),
		handler.New("echo", handler.Codec[noteInput, handler.None, handler.None, string]{Input: decodeNote, Result: handler.Text[string]},
			func(_ context.Context, _ *tool.Call, in noteInput, _, _ handler.None) (string, error) {
				return "# " + in.ID, nil
			}),
		handler.New("about", handler.Codec[handler.None, handler.None, handler.None, string]{Kind: handler.Resource, Result: handler.Text[string]},
			func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (string, error) {
				return "A notebook.", nil
			}),
		handler.New("place", handler.Codec[handler.None, handler.None, handler.None, place]{Kind: handler.Resource, Result: handler.Structured(encodePlace)},
			func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (place, error) {
				return place{"here", 3}, nil
			}),
		handler.New("raw", handler.Codec[handler.None, handler.None, handler.None, []content.Resource]{Kind: handler.Resource, Result: handler.Contents},
			func(context.Context, *tool.Call, handler.None, handler.None, handler.None) ([]content.Resource, error) {
				return []content.Resource{{Blob: []byte{0, 1}}, {URI: "notes://raw/2", MIMEType: "text/plain", Text: "two"}}, nil
			}),
		handler.New("page", handler.Codec[pageInput, handler.None, handler.None, string]{Kind: handler.Resource, Input: decodePage, Result: handler.Text[string]},
			func(_ context.Context, _ *tool.Call, in pageInput, _, _ handler.None) (string, error) {
				return in.Title + " " + strconv.Itoa(in.Number), nil
			}),
		handler.New("summarize", handler.Codec[promptInput, noteQuestions, handler.None, content.Messages]{Kind: handler.Prompt, Input: decodePrompt, Questions: ask, Result: handler.Messages},
			func(ctx context.Context, call *tool.Call, in promptInput, q noteQuestions, _ handler.None) (content.Messages, error) {
				text, err := read(ctx, call, in.ID, q)
				return content.Messages{
					content.Say(content.User, fmt.Sprintf("%s %d %t", in.Style, in.Words, in.Long)),
					{Role: content.Assistant, Block: content.Resource{URI: "note://" + in.ID, Text: text}},
					{Role: content.User, Block: content.Link{URI: "note://a", Name: "a", Size: 3}},
					{Role: content.User, Block: content.Audio{MIMEType: "audio/wav", Data: []byte("x")}},
				}, err
			}),
	)
}

// docs returns a directory with 250 files in several directories.
var docs = sync.OnceValue(func() fs.FS {
	all := fstest.MapFS{
		"readme.md": {Data: []byte("# Docs")}, "logo.png": {Data: []byte("\x89PNG\r\n\x1a\n\x00")}, "a b%/é.txt": {Data: []byte("odd")},
		"big.bin": {Data: make([]byte, 16<<20+1)}, "link": {Mode: fs.ModeSymlink, Data: []byte("readme.md")},
	}
	for i := range 246 {
		all[fmt.Sprintf("d%d/f%03d.go", i%3, i)] = &fstest.MapFile{Data: []byte("package p")}
	}
	return all
})

const meta2026 = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

// A door is a way to send a request to a server. It returns the response.
type door func(t testing.TB, method, params string) string

// doors returns the doors of a server in both generations of MCP.
func doors(t testing.TB, create func() *sdk.Server) map[string]door {
	all := map[string]door{}
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		all["stdio "+version] = overStream(t, create(), version, sdk.Options{})
	}
	all["stdio 2026-07-28"] = overStream(t, create(), "2026-07-28", sdk.Options{})
	all["http 2025-11-25"] = overHTTP(t, create(), "2025-11-25", true)
	all["http stateless 2025-11-25"] = overHTTP(t, create(), "2025-11-25", false)
	all["http 2026-07-28"] = overHTTP(t, create(), "2026-07-28", false)
	return all
}

// request returns the text of a request. params are the members of the params, without braces.
func request(method, params, version string) string {
	if version == "2026-07-28" {
		params = strings.TrimSuffix(`"_meta":`+meta2026+","+params, ",")
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":{%s}}`, method, params)
}

const opening = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`

// overStream answers every question with true.
func overStream(t testing.TB, s *sdk.Server, version string, o sdk.Options) door {
	t.Helper()
	ours, theirs := net.Pipe()
	o.Log = slog.New(slog.DiscardHandler)
	served := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { served <- s.Serve(ctx, theirs, o) }()
	t.Cleanup(func() {
		_ = ours.Close()
		cancel()
		<-served
	})
	lines := bufio.NewReaderSize(ours, 1<<20)
	exchange := func(t testing.TB, message string) string {
		for {
			if _, err := io.WriteString(ours, message+"\n"); err != nil {
				t.Fatal(err)
			}
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			var asked struct {
				ID     int
				Method string
			}
			if err := json.Unmarshal([]byte(line), &asked); err != nil {
				t.Fatal(err)
			}
			if asked.Method == "" {
				return line
			}
			message = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"action":"accept","content":{"answer":true}}}`, asked.ID)
		}
	}
	if version != "2026-07-28" {
		exchange(t, fmt.Sprintf(opening, version))
	}
	return func(t testing.TB, method, params string) string { return exchange(t, request(method, params, version)) }
}

func overHTTP(t testing.TB, s *sdk.Server, version string, session bool) door {
	t.Helper()
	h, err := s.Handler(t.Context(), sdk.Options{Log: slog.New(slog.DiscardHandler)}, sdk.HTTPOptions{Stateless: !session})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	id := ""
	send := func(t testing.TB, method, body, subject string) string {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {version}}
		if id != "" {
			req.Header.Set("Mcp-Session-Id", id)
		}
		if version == "2026-07-28" {
			req.Header.Set("Mcp-Method", method)
			if strings.Contains(body, `"uri":`) || strings.Contains(body, `"name":`) {
				req.Header.Set("Mcp-Name", "=?base64?"+base64.StdEncoding.EncodeToString([]byte(subject))+"?=")
			}
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if got := resp.Header.Get("Mcp-Session-Id"); got != "" {
			id = got
		}
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if event, ok := strings.CutPrefix(line, "data: "); ok && strings.TrimSpace(event) != "" {
				data = []byte(event)
			}
		}
		return string(data)
	}
	if session {
		mute := strings.Replace(opening, `"elicitation":{}`, "", 1) // the door cannot answer while a response streams
		send(t, "initialize", fmt.Sprintf(mute, version), "")
	}
	return func(t testing.TB, method, params string) string {
		var p struct{ URI, Name string }
		_ = json.Unmarshal([]byte("{"+params+"}"), &p)
		return send(t, method, request(method, params, version), p.URI+p.Name)
	}
}
