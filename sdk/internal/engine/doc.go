// Package engine speaks MCP, whichever door a message comes in by.
//
// A message is read once: its envelope, unique member names, exact ids, limits. A
// [Session] is what is known of a client, and a [Request] is what it asks for; an [Out] is
// where the answer goes. Doors carry bytes: standard streams, HTTP. Who is at the other
// end of a door, and what they may say about a call, is decided by package trust; how a
// question reaches its user follows the version and the capabilities of the request.
package engine
