// Package encode encodes Go values as JSON results.
//
// It is the counterpart of package decode:
//
//	func encodeCreated(o *encode.Object, out *Created) {
//		encode.Field(o, "id", &out.ID, encode.String)
//		encode.Omit(o, len(out.Tags) == 0, "tags", &out.Tags, encode.List[[]string](encode.String))
//	}
//
// [From] calls such a function and returns compact, valid JSON with the members in the order of the
// calls, or an error with the path of each value that cannot be encoded.
//
// # Differences from encoding/json
//
// A nil slice is [], a nil map is {}, and nil bytes are "". HTML characters and the line separators
// U+2028 and U+2029 are not escaped, and invalid UTF-8 becomes U+FFFD. Integers outside ±(2^53-1)
// are errors with [Int] and [Uint], because clients that use floats would change them. Values other
// than the declared constants are errors with [Enum] and [IntEnum]. Durations are strings. A custom
// marshaler must return one JSON value without duplicate member names. Values may nest 100 levels
// deep, so that the message around them stays below the limit of 128 that some readers have.
package encode
