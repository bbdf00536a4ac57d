// Package tool defines what a handler receives and how a tool is called.
//
// A handler is an ordinary method that jptoolgen wraps in a [Tool]. All protocols call tools
// through [Tool.Run]: it decodes arguments and options, lets the handler ask questions, and
// returns a [Result] or an error, which is a pending question or a fault.
package tool
