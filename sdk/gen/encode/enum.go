package encode

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/jptool/jptool/internal/phrase"
)

// Enum encodes a string that is one of the values. Other values are errors, because clients
// that validate the published output schema would drop the whole result.
func Enum[T ~string](values ...T) Func[T] {
	return func(w *Writer, v *T) {
		if !slices.Contains(values, *v) {
			quote := func(value T) string { return strconv.Quote(string(value)) }
			w.refuse(strconv.Quote(phrase.Clip(string(*v), maxShown))+notAmong(values, quote), nil)
			return
		}
		w.string(string(*v))
	}
}

// IntEnum encodes an integer that is one of the values, as a number. Other values are errors, and
// so are values that [Int] or [Uint] refuses.
func IntEnum[T signed | unsigned](values ...T) Func[T] {
	return func(w *Writer, v *T) {
		if !slices.Contains(values, *v) {
			digits := func(value T) string { return fmt.Sprintf("%d", value) }
			w.refuse(digits(*v)+notAmong(values, digits), nil)
			return
		}
		integer(w, v)
	}
}

func notAmong[T any](values []T, show func(T) string) string {
	names := make([]string, len(values))
	for i, value := range values {
		names[i] = show(value)
	}
	return " is not " + phrase.OneOf(names)
}
