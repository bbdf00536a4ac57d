// Package decode decodes JSON arguments into Go values and reports all problems at once.
//
// Generated code names each field once:
//
//	func decodeCreate(o *decode.Object, in *CreateInput) {
//		decode.Field(o, "title", &in.Title, decode.String, decode.Required, decode.MaxLength(200))
//		decode.Field(o, "tags", &in.Tags, decode.List[[]string](decode.String))
//	}
//
// [Into] parses the arguments once, rejects input that parsers could interpret differently,
// and calls such a function.
//
// # Strings that contain JSON
//
// Models often send values as text. If the target is not a string, a string that contains
// exactly the JSON text of a value of the expected kind is decoded as that value: "3", "true",
// "[1,2]", "{\"a\":1}". JSON white space around it is permitted. Everything else is rejected:
// "yes", "+3", and a string inside the string. [Options].Strict disables the conversion.
//
// # Large integers
//
// A JSON number beyond 2^53-1 is rejected for an integer, because clients that use floats round such
// numbers. The string of its digits is accepted.
//
// # Single values
//
// Models often omit the brackets of a list with one item. A field with [Single] accepts such a value
// if it is valid as an item: "a" is decoded as ["a"], and {"a":1} as [{"a":1}]. Ambiguous values are
// rejected: a string that contains a comma or a line break, and a single value for a list of lists.
// A type with its own UnmarshalText accepts an integer as the string of its digits: 7 as "7". Other
// string types do not. [Options].Strict disables these conversions, too.
//
// # Null and empty strings
//
// For an optional field, null is the same as an absent field, unless null is a value of its type, as
// for [Pointer], [Any], [Raw] and [JSON]. So is "", unless the field accepts it. For a required field
// and for elements of lists and maps, null is a problem.
//
// # Differences from encoding/json
//
// Member names are case-sensitive. These are rejected: duplicate member names, invalid UTF-8 and
// lone surrogates, more than 128 nesting levels or 1048576 values, numbers that overflow a float,
// null elements, and arrays of the wrong length. These are accepted: 5.0 and 1e2 for an integer, and
// all common spellings of base64. Lists and maps replace the previous value of the target.
package decode
