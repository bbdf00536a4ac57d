// Package sdk runs the tools that jptoolgen generated as an MCP server.
//
// A tool is a method of an annotated struct. jptoolgen reads the annotations and writes
// NewServer next to the struct. The program is then
//
//	func main() { sdk.Main(notes.NewServer(&notes.Notes{})) }
//
// It serves MCP over stdio, or over HTTP with --http. With --jp, it speaks the tool protocol of JP
// (https://github.com/dcdpr/jp), a command-line assistant.
//
// # Compatibility
//
// Generated code compiles with every later runtime of the same major version. With an older runtime
// than it requires, it does not compile, and the comment at the failing line says what to do. The
// contract in jp.lock.json is the server's own promise: jptoolgen --check, jptoolgen vet and package
// jptest report when it differs from the source. The protocol behind --jp is transitional (JP RFD
// D31) and will be replaced with typed content blocks (RFD 058). The flag may change; handlers will
// not.
package sdk
