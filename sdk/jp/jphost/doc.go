// Package jphost implements a client that runs the tools of a server as JP does.
//
// A [Host] speaks MCP exactly as JP's own client does, byte for byte, over the standard streams of a command
// ([Start]) or any connection ([Connect]). [Host.Call] then runs a tool as JP's coordinator does.
// It sends the configured options and reads the result. While the tool needs input, it looks up the
// configured answer or asks the [Answerer], and runs the tool again with the answer, until it has text for the model.
//
// The package does not implement permission prompts, and does not remember answers from one call to the next.
package jphost

import "errors"

// ErrCancelled is returned by an [Answerer] if the person declines to answer. The call then ends
// without an error, with the text that JP shows.
var ErrCancelled = errors.New("cancelled by user")
