// Package wire is JP's protocol as data.
//
// It reads and writes the documents that a JP host and a tool exchange: the [Outcome] that a tool
// answers with, the [Question] inside it, and the [Tool] and [Context] that the host sends along.
// JP writes these types in Rust with serde, so documents are read as serde reads them and not as
// encoding/json would: names are case-sensitive, a known name given twice is refused, a mandatory
// field may not be null, and a struct may come as an array of its fields.
//
// The envelope of an outcome has versions. Each is a [Codec].
package wire

// Keys under the _meta of an MCP request or result.
const (
	// MetaTool holds a [Tool]: arguments, answers and options of the call (JP RFD D31).
	MetaTool = "computer.jp/tool"
	// MetaContext holds a [Context]: action, root and identity of the caller (JP RFD D31).
	MetaContext = "computer.jp/context"
	// MetaError holds the structured form of a failed result (JP RFD 058).
	MetaError = "computer.jp/error"
	// MetaVersion holds the version of a tool, in its entry of the list of tools.
	MetaVersion = "computer.jp/version"
	// MetaDeprecated holds the name of a tool that was called by a former one, and the
	// last day of that: {"name","until"}.
	MetaDeprecated = "computer.jp/deprecated"
	// MetaStatus says whether a result is final or waits for an answer (JP RFD 058).
	MetaStatus = "computer.jp/status"
)
