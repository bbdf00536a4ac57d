// Package sdk runs a set of tools as a server.
//
// A tool is a method of an annotated struct. jptoolgen reads the annotations and
// writes NewServer beside them; a program is then
//
//	func main() { sdk.Main(notes.NewServer(&notes.Notes{})) }
//
// and serves MCP on its standard streams, to any client, and with --jp speaks JP's
// tool protocol, in which a tool can ask its user. Handlers know nothing of either.
//
// # Compatibility
//
// Code that jptoolgen generated keeps compiling with every later runtime of the
// same major version; a runtime that is too old for it does not compile with it,
// and the comment at that line says what to type. What jp.lock.json publishes is
// the server's own promise: jptoolgen --check, jptoolgen vet and package jptest report
// when it and the source drift apart. The protocol behind --jp is transitional (JP RFD D31) and will be
// replaced by typed content blocks (RFD 058): its flag may change then, handlers
// will not.
package sdk
