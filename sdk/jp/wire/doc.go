// Package wire reads the documents that a JP host sends with a call: a [Tool] and a [Context].
//
// JP defines these types in Rust with serde, and this package parses documents as serde does. Unlike in
// encoding/json, member names are case-sensitive, a repeated known member is rejected, a required field must
// not be null, and a struct may be an array of its fields.
package wire

// Keys of the _meta of an MCP request or result.
const (
	// MetaTool contains a [Tool]: arguments, answers and options of the call (JP RFD 111).
	MetaTool = "computer.jp/tool"
	// MetaContext contains a [Context]: action, root and identity of the caller (JP RFD 111).
	MetaContext = "computer.jp/context"
	// MetaError contains the structured form of a failure (JP RFD 058).
	MetaError = "computer.jp/error"
	// MetaVersion contains the version of a tool, in the tool list.
	MetaVersion = "computer.jp/version"
	// MetaDeprecated contains the current name of a tool that was called by a former name, and the last day
	// on which the former name is supported: {"name","until"}.
	MetaDeprecated = "computer.jp/deprecated"
	// MetaWarnings contains sentences about a request for a resource or a prompt, as a list.
	MetaWarnings = "computer.jp/warnings"
	// MetaStatus says whether a result is final or waits for an answer (JP RFD 058).
	MetaStatus = "computer.jp/status"
)

// Versions of the documents that a tool returns.
const (
	// VersionOutcome is the outcome envelope with a tagged answer_type (JP RFD 082), which JP reads since 2026-08-24.
	VersionOutcome = "outcome"
	// VersionOutcomeUntagged is the outcome envelope that JP read before 2026-08-24.
	VersionOutcomeUntagged = "outcome-untagged"
	// VersionBlocks is the version with typed content blocks (JP RFD 058), which will replace the envelope.
	VersionBlocks = "blocks"
)
