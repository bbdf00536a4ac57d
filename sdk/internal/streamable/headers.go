package streamable

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

const (
	typeJSON   = "application/json"
	typeStream = "text/event-stream"
)

// repeatedHeader returns the name of a header that has several values but may have only one, or "" if
// every header is valid. A proxy and the server may read different values.
func repeatedHeader(header http.Header) string {
	for _, name := range [...]string{
		headerVersion, headerSession, headerMethod, headerName, headerLastEvent,
		"Authorization", "Content-Encoding", "Content-Type", "Origin",
	} {
		if len(header[name]) > 1 {
			return name
		}
	}
	return ""
}

// moreThanOnce follows the header's name in the error for a repeated header.
const moreThanOnce = "occurs more than once; send it once"

// accepts reports whether the client accepts JSON, and whether it accepts an event stream. By default,
// it accepts both.
func accepts(header http.Header) (whole, stream bool) {
	values := header["Accept"]
	if len(values) == 0 {
		return true, true
	}
	return allows(values, "application/*", typeJSON), allows(values, "text/*", typeStream)
}

// allows reports whether an Accept header allows a media type. The most specific range decides;
// a weight of 0 excludes what the range matches (RFC 9110, section 12.5.1).
func allows(values []string, family, kind string) bool {
	ranges, best, allowed := [...]string{"*/*", family, kind}, 0, false
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			name, params, _ := strings.Cut(part, ";")
			i := slices.Index(ranges[:], strings.ToLower(strings.TrimSpace(name)))
			if i > best || i == best && !allowed {
				best, allowed = i, !excludesRange(params)
			}
		}
	}
	return allowed
}

// excludesRange reports whether the parameters of a media range contain the weight 0.
func excludesRange(params string) bool {
	for param := range strings.SplitSeq(params, ";") {
		if name, value, _ := strings.Cut(strings.TrimSpace(param), "="); strings.EqualFold(name, "q") {
			weight, err := strconv.ParseFloat(value, 64)
			return err == nil && weight == 0
		}
	}
	return false
}

// sendsJSON reports whether the Content-Type is JSON.
func sendsJSON(header http.Header) bool {
	value := header.Get("Content-Type")
	if value == typeJSON {
		return true
	}
	kind, _, err := mime.ParseMediaType(value)
	return err == nil && kind == typeJSON
}

// versionOf returns the protocol version of a request. Without a version header, it is the first
// version with this transport (MCP 2025-06-18, Protocol Version Header). Header and message must agree
// (MCP 2026-07-28, Streamable HTTP).
func versionOf(header http.Header, m *rpc.Message) (string, *rpc.Error) {
	named, own := header.Get(headerVersion), m.Version()
	switch {
	case named != "" && !wires.Speaks(named):
		return "", wires.Unsupported(named)
	case m.Opens() && !wires.Stateless.In(named):
		return "", nil // initialize negotiates the version
	case named == own || own == "":
	case named == wires.Rounds || own == wires.Rounds:
		if named == "" {
			return "", mismatch("the MCP-Protocol-Version header must be " + own + ", as in _meta")
		}
		return "", mismatch("the MCP-Protocol-Version header is " + named + ", but the version in _meta is " + quoteClient(own))
	}
	return cmp.Or(named, "2025-03-26"), nil
}

// checkHeaders checks that the headers repeat what the message says, because proxies may rely on
// them (MCP 2026-07-28, Streamable HTTP, Request Metadata).
func checkHeaders(ctx context.Context, e *engine.Engine, caller handler.Caller, header http.Header, m *rpc.Message) *rpc.Error {
	switch method := header.Get(headerMethod); {
	case method == "" && m.ID == nil:
		return nil // MCP does not require the header for notifications
	case method == "":
		return mismatch("the Mcp-Method header is missing")
	case method != m.Method:
		return mismatch("the Mcp-Method header is " + quoteClient(method) + ", but the message contains " + quoteClient(m.Method))
	}
	subject, ok := e.Subject(m)
	if !ok {
		return nil // the method does not require Mcp-Name, or its handler reports the error
	}
	name, ok := plain(header.Get(headerName))
	switch {
	case len(header[headerName]) == 0:
		return mismatch("the Mcp-Name header is missing")
	case !ok:
		return mismatch("the Mcp-Name header contains invalid Base64")
	case name != subject:
		return mismatch("the Mcp-Name header is " + quoteClient(name) + ", but the message contains " + quoteClient(subject))
	}
	if m.Method != rpc.MethodCall {
		return nil
	}
	for _, p := range e.HeaderParams(ctx, caller, subject) {
		if reason := checkParam(header, m.Arguments, p); reason != "" {
			return mismatch("the " + headerParam + p.Header + " header " + reason)
		}
	}
	return nil
}

// checkParam returns how a header differs from the argument that it repeats, or "".
func checkParam(header http.Header, arguments json.RawMessage, p engine.HeaderParam) string {
	values := header.Values(headerParam + p.Header)
	argument := jsontext.Value(arguments)
	for _, name := range p.Path {
		var object map[string]jsontext.Value
		if jsonv2.Unmarshal(rawjson.Unpacked(argument), &object) != nil {
			return "" // the tool reports the error
		}
		argument = object[name]
	}
	switch none := argument.Kind() == 0 || argument.Kind() == 'n'; {
	case none && len(values) > 0:
		return "is present, but the argument is missing"
	case none:
		return ""
	case len(values) == 0:
		return "is missing"
	case len(values) > 1:
		return moreThanOnce
	}
	said, ok := plain(values[0])
	switch {
	case !ok:
		return "contains invalid Base64"
	case !sameParam(said, argument):
		return "is " + quoteClient(said) + ", but the argument has another value"
	}
	return ""
}

// sameParam reports whether a header value equals an argument: a string, boolean or integer.
func sameParam(said string, argument jsontext.Value) bool {
	switch argument.Kind() {
	case '"':
		return rawjson.Text(argument) == said
	case 't', 'f':
		return string(argument) == said
	case '0':
		one, err := strconv.ParseFloat(said, 64)
		other, err2 := strconv.ParseFloat(string(argument), 64)
		const exact = 1 << 53
		return err == nil && err2 == nil && one == other && one == float64(int64(one)) && -exact < one && one < exact
	}
	return false
}

// plain decodes a header value, or returns false if it contains invalid Base64. Values that are not
// printable ASCII are in Base64 (MCP 2026-07-28, Streamable HTTP, Value Encoding).
func plain(value string) (string, bool) {
	encoded, begins := strings.CutPrefix(value, "=?base64?")
	encoded, ends := strings.CutSuffix(encoded, "?=")
	if !begins || !ends {
		return value, true
	}
	text, err := base64.StdEncoding.DecodeString(encoded)
	return string(text), err == nil
}

func mismatch(reason string) *rpc.Error {
	return &rpc.Error{Code: rpc.CodeHeaderMismatch, Message: "header mismatch: " + reason}
}

// statusOf returns the HTTP status of an answer. In versions without sessions, errors have their own
// statuses (MCP 2026-07-28, Streamable HTTP).
func statusOf(version string, err *rpc.Error) int {
	if err == nil {
		return http.StatusOK
	}
	if err.Scopes != nil {
		return http.StatusForbidden
	}
	switch err.Code {
	case rpc.CodeParse, rpc.CodeInvalidRequest, rpc.CodeHeaderMismatch, rpc.CodeUnsupportedVersion:
		return http.StatusBadRequest
	case rpc.CodeEnded:
		return http.StatusServiceUnavailable
	case rpc.CodeMethodNotFound:
		if wires.Stateless.In(version) {
			return http.StatusNotFound
		}
	case rpc.CodeInvalidParams, rpc.CodeMissingCapability:
		if wires.Stateless.In(version) {
			return http.StatusBadRequest
		}
	}
	return http.StatusOK
}
