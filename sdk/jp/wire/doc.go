// Package wire encodes and decodes the documents of JP's protocol.
//
// These are the documents that a JP host and a tool exchange: the [Outcome] that a tool answers with, the
// [Question] inside it, and the [Tool] and [Context] that the host sends. JP defines these types in Rust with
// serde, so documents are parsed as serde parses them, which differs from encoding/json: member names are
// case-sensitive, a repeated known member is refused, a required field may not be null, and a struct may be
// an array of its fields.
//
// The envelope of an outcome has several versions. Each has a [Codec].
package wire

// Keys of the _meta of an MCP request or result.
const (
	// MetaTool contains a [Tool]: arguments, answers and options of the call (JP RFD D31).
	MetaTool = "computer.jp/tool"
	// MetaContext contains a [Context]: action, root and identity of the caller (JP RFD D31).
	MetaContext = "computer.jp/context"
	// MetaError contains the structured form of a failure (JP RFD 058).
	MetaError = "computer.jp/error"
	// MetaVersion contains the version of a tool, in the list of tools.
	MetaVersion = "computer.jp/version"
	// MetaDeprecated contains the current name of a tool that was called by a former name, and the last day
	// on which the former name is supported: {"name","until"}.
	MetaDeprecated = "computer.jp/deprecated"
	// MetaStatus says whether a result is final or waits for an answer (JP RFD 058).
	MetaStatus = "computer.jp/status"
)
