package engine

import (
	"encoding/json"
	"slices"
)

// The versions of MCP that are spoken, newest first.
var versions = []string{Rounds, Sessions, "2025-06-18", "2025-03-26", "2024-11-05"}

const (
	// Rounds is the version in which a request says for itself who sends it, and a server
	// asks by its result (MCP 2026-07-28, Versioning; multi round-trip requests).
	Rounds = "2026-07-28"
	// Sessions is the last version whose sessions are opened by initialize.
	Sessions = "2025-11-25"

	// structuredSince brought titles, output schemas and structured content (MCP
	// 2025-06-18, changelog).
	structuredSince = "2025-06-18"
	// audioSince, linkSince and lastModifiedSince brought a kind of block, or a part of one.
	audioSince        = "2025-03-26"
	linkSince         = "2025-06-18"
	lastModifiedSince = "2025-06-18"
)

// Speaks reports whether a version of MCP is spoken.
func Speaks(version string) bool { return slices.Contains(versions, version) }

// OpensSession reports whether version is spoken and its sessions are opened by initialize.
func OpensSession(version string) bool { return version < Rounds && Speaks(version) }

// Unsupported returns the error for a version that is not spoken.
func Unsupported(version string) *Error {
	// Texts always encode.
	data, _ := json.Marshal(map[string]any{"supported": versions, "requested": clip(version)})
	return &Error{Code: CodeUnsupportedVersion, Message: "unsupported protocol version", Data: data}
}

// The methods that the engine knows.
const (
	methodInitialize = "initialize"
	methodPing       = "ping"
	methodDiscover   = "server/discover"
	methodLevel      = "logging/setLevel"
	methodList       = "tools/list"
	methodCall       = "tools/call"
	methodListen     = "subscriptions/listen"
	methodPrompt     = "prompts/get"
	methodRead       = "resources/read"
	methodElicit     = "elicitation/create"

	noteInitialized = "notifications/initialized"
	noteCancelled   = "notifications/cancelled"
	noteProgress    = "notifications/progress"
	noteMessage     = "notifications/message"
)

// methodName returns the name of a method; those that are common are not copied.
func methodName(name []byte) string {
	switch string(name) {
	case methodCall:
		return methodCall
	case methodList:
		return methodList
	case noteCancelled:
		return noteCancelled
	case noteInitialized:
		return noteInitialized
	}
	return string(name)
}
