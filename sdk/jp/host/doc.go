// Package host is the client side: it runs a tool server as JP does, or as JP will.
//
// A [Host] speaks MCP as JP's own client does, byte for byte, over a command's standard streams
// ([Start]) or any connection ([Connect]). [Host.Call] then does what JP's coordinator does with a
// tool: it sends what the user configured, reads the result, asks when the tool needs input, and
// runs the tool again with the answer, until there is a text for the model.
//
// What a host adds around a call is left out: permission prompts, and answers remembered from one
// call of a turn to the next.
package host

import "errors"

// ErrCancelled is what an [Answerer] returns when the person would not answer. The call then
// ends well, with the text that JP shows.
var ErrCancelled = errors.New("cancelled by user")
