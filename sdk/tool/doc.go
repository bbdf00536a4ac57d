// Package tool is what a handler receives, and how one is called.
//
// A handler is an ordinary method; jptoolgen wraps it in a [Tool]. [Tool.Run] is
// the one way a tool is called, whatever the protocol: it decodes arguments and
// options, lets the handler ask, and returns a [Result] or an error that is
// either a pending question or a fault. Bridges put that on a wire.
package tool
