package engine

import (
	"encoding/json"
	"slices"

	"github.com/jptool/jptool/internal/phrase"
)

// versions are the supported protocol versions, newest first.
var versions = []string{Rounds, Sessions, "2025-06-18", "2025-03-26", "2024-11-05"}

const (
	// Rounds is the version in which each request carries its client's metadata, and results
	// contain questions (MCP 2026-07-28, Versioning; multi round-trip requests).
	Rounds = "2026-07-28"
	// Sessions is the last version with sessions that are opened by initialize.
	Sessions = "2025-11-25"

	// These versions added audio blocks; structured content, output schemas, titles of tools, resource
	// links and the lastModified annotation; icons, and lists and titles in forms (MCP, changelogs).
	audioSince        = "2025-03-26"
	structuredSince   = "2025-06-18"
	linkSince         = "2025-06-18"
	lastModifiedSince = "2025-06-18"
	iconsSince        = "2025-11-25"
	listsSince        = "2025-11-25"
)

// Speaks reports whether a protocol version is supported.
func Speaks(version string) bool { return slices.Contains(versions, version) }

// OpensSession reports whether version is supported and has sessions opened by initialize.
func OpensSession(version string) bool { return version < Rounds && Speaks(version) }

// Unsupported returns the error for an unsupported protocol version.
func Unsupported(version string) *Error {
	// Marshaling strings cannot fail.
	data, _ := json.Marshal(map[string]any{"supported": versions, "requested": phrase.Clip(version, mostShown)})
	return &Error{Code: CodeUnsupportedVersion, Message: "unsupported protocol version", Data: data}
}

// Methods that the engine knows.
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
	noteVisited     = "notifications/elicitation/complete"
	noteProgress    = "notifications/progress"
	noteSubscribed  = "notifications/subscriptions/acknowledged"
	noteMessage     = "notifications/message"
)

// methodName returns a method name; common names are not copied.
func methodName(name []byte) string {
	for _, common := range [...]string{methodCall, methodList, noteCancelled, noteInitialized} {
		if string(name) == common {
			return common
		}
	}
	return string(name)
}
