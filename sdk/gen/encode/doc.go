// Package encode is Go values to JSON results.
//
// It is the other direction of package decode, in the same words:
//
//	func encodeCreated(o *encode.Object, out *Created) {
//		encode.Field(o, "id", &out.ID, encode.String)
//		encode.Omit(o, len(out.Tags) == 0, "tags", &out.Tags, encode.List[[]string](encode.String))
//	}
//
// [From] runs such a function and returns compact JSON with the members in the
// order of the calls, or an error which names the path of every value that JSON
// cannot hold. It never returns JSON that is not valid.
//
// # Differences from encoding/json
//
// A nil slice is [], a nil map {}, nil bytes "". Characters of HTML and the line
// separators U+2028 and U+2029 stand as they are, and invalid UTF-8 becomes the
// character U+FFFD. An integer beyond 2^53-1 either way is an error with [Int]
// and [Uint], since a peer that reads numbers as floats would change it; [BigInt]
// and [BigUint] write strings. With [Enum] and [IntEnum] a value outside of the
// declared constants is an error. A duration is a string. A custom marshaler that
// fails, panics, or writes anything but one JSON value without repeated names is
// an error. Values nest at most 100 deep, so that a result still fits the
// message around it where readers stop at 128.
package encode
