package wires

import (
	"encoding/json"
	"slices"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/internal/rpc"
)

const (
	// Rounds is the version in which each request carries its client's metadata, and results
	// contain questions (MCP 2026-07-28, Versioning; multi round-trip requests).
	Rounds = "2026-07-28"
	// Sessions is the last version with sessions that are opened by initialize.
	Sessions = "2025-11-25"
)

// Versions are the supported protocol versions, newest first.
var Versions = []string{Rounds, Sessions, "2025-06-18", "2025-03-26", "2024-11-05"}

// A Feature is a part of MCP that some versions lack. Its value is the first version that has it (MCP, changelogs).
type Feature string

// Features of MCP.
const (
	Audio        Feature = "2025-03-26"
	Structured   Feature = "2025-06-18" // structured content, output schemas, tool titles, and _meta of tools
	Links        Feature = "2025-06-18"
	LastModified Feature = "2025-06-18"
	Icons        Feature = "2025-11-25"
	Lists        Feature = "2025-11-25" // lists and titles in forms, and URLs
	// Priming is an empty event at the start of a stream, whose id the client can resume with (Streamable HTTP,
	// Sending Messages). Older clients would take it for a message.
	Priming Feature = "2025-11-25"
	// Stateless requests describe their client, results ask questions, and HTTP statuses depend on the error.
	Stateless Feature = Rounds
)

// In reports whether a version has f. The name of an unsupported version counts as its date.
func (f Feature) In(version string) bool { return version >= string(f) }

// Speaks reports whether a protocol version is supported.
func Speaks(version string) bool { return slices.Contains(Versions, version) }

// OpensSession reports whether version is supported and has sessions opened by initialize.
func OpensSession(version string) bool { return !Stateless.In(version) && Speaks(version) }

// Unsupported returns the error for an unsupported protocol version.
func Unsupported(version string) *rpc.Error {
	// Marshal cannot fail: the values are strings.
	data, _ := json.Marshal(map[string]any{"supported": Versions, "requested": phrase.Clip(version, rpc.MaxShown)})
	return &rpc.Error{Code: rpc.CodeUnsupportedVersion, Message: "unsupported protocol version", Data: data}
}

// A Client is what the client of a request can do.
type Client struct {
	Version         string // of the protocol; "" if not negotiated
	Elicits, Visits bool   // the client can show forms and URLs
}

// Has reports whether the client's version of MCP has a feature.
func (c Client) Has(f Feature) bool { return f.In(c.Version) }

// Complete is the type of a result that needs no further request.
const Complete = "complete"

// Open begins a result, with its type in versions whose results have one.
func (c Client) Open(w *rpc.Writer, resultType string) {
	w.Begin('{')
	if c.Has(Stateless) {
		w.Name("resultType").String(resultType)
	}
}

// Meta appends the _meta of a result: the members that own appends, if it is not nil, and the server, in versions
// whose results name it.
func (c Client) Meta(w *rpc.Writer, info rpc.JSON, own func(*rpc.Writer)) {
	if own == nil && !c.Has(Stateless) {
		return
	}
	w.Name("_meta").Begin('{')
	if own != nil {
		own(w)
	}
	if c.Has(Stateless) {
		w.Name(rpc.KeyServerInfo).Bytes(info)
	}
	w.End('}')
}
