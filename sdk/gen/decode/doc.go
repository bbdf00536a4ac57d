// Package decode is JSON arguments to Go values, every problem at once.
//
// Generated code names each field once, and the package does the rest:
//
//	func decodeCreate(o *decode.Object, in *CreateInput) {
//		decode.Field(o, "title", &in.Title, decode.String, decode.Required, decode.MaxLength(200))
//		decode.Field(o, "tags", &in.Tags, decode.List[[]string](decode.String))
//	}
//
// [Into] scans the arguments once, refuses what two parsers could read in two
// ways, and hands them to such a function. Problems are collected with their
// path, what was expected and what came; none of them stops the others.
//
// # Strings that hold JSON
//
// Models often send a value as text. Where the target is not a string, a string
// that is, as a whole, the JSON text of a value of the wanted kind is read as
// that value: "3", "true", "[1,2]", "{\"a\":1}". JSON's own white space around it is
// allowed and nothing else is: not "yes", not "", not "+3", and no string inside
// the string. Nothing but a string is ever converted. [Options].Strict turns all
// of it off.
//
// # Null
//
// A null for an optional field says the same as leaving the field out, unless
// null is a value of its type, as for [Pointer], [Any], [Raw] and [JSON]. For a
// required field, and for an element of a list or a map, it is a problem.
//
// # Differences from encoding/json
//
// Names match exactly, never by case. Refused: a name given twice, invalid UTF-8
// and lone surrogates, more than 128 levels or 1048576 values, a number that
// overflows a float, null elements, an array of another length. Accepted: 5.0
// and 1e2 for an integer, base64 in any of its common spellings. A list or map
// replaces what the target held before.
package decode
