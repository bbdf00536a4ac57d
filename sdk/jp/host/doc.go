// Package host is the client side: it runs a tool server as JP does, or as JP will.
//
// A [Host] speaks MCP as JP's own client does, byte for byte, over a command's standard streams
// ([Start]) or any connection ([Connect]). [Host.Call] then does what JP's coordinator does with a
// tool: it sends what the user configured, reads the result, asks when the tool needs input, and
// runs the tool again with the answer, until there is a text for the model.
//
// Every decision on the way is a function of data alone and can be used without a connection:
// [BuildRequest], [ReadResponse], [ReadResult] and [ReadLocal].
//
// What a host adds around a call is left out: permission prompts, and answers remembered from one
// call of a turn to the next.
package host

import "errors"

var (
	// ErrCancelled is what an [Answerer] returns when the person would not answer. The call then
	// ends well, with the text that JP shows.
	ErrCancelled = errors.New("cancelled by user")
	// ErrClosed is returned by calls on a connection that has ended on either side.
	ErrClosed = errors.New("connection closed")
	// ErrRounds is returned by a call whose tool still asks after [Options].MaxRounds rounds. JP
	// itself would go on.
	ErrRounds = errors.New("the tool asks without end")
)
