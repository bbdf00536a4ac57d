// Package engine implements the MCP server behind every transport.
//
// An [Engine] parses each message once and checks its envelope, member names, id and size. A
// [Session] is the state of one client, a [Request] is one request in flight, and an [Out]
// delivers its answer. The transports (packages stdio and streamable) only move bytes. Package
// trust decides what a caller may set for a call. How a question reaches the user depends on
// the protocol version and on the capabilities that the client declares.
package engine
