package encode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
)

// Enum encodes a string that is one of the values. Other values are errors, because clients
// that validate the published output schema would drop the whole result.
func Enum[T ~string](values ...T) Func[T] {
	return func(w *Writer, v *T) {
		if !slices.Contains(values, *v) {
			names := make([]string, len(values))
			for i, value := range values {
				names[i] = strconv.Quote(string(value))
			}
			w.refuse(strconv.Quote(phrase.Clip(string(*v), maxShown))+notAmong(names), nil)
			return
		}
		w.string(string(*v))
	}
}

// IntEnum encodes an integer that is one of the values, as a number. Other values are errors, and
// so are values that [Int] or [Uint] refuses.
func IntEnum[T signed | unsigned](values ...T) Func[T] {
	return func(w *Writer, v *T) {
		switch n := *v; {
		case !slices.Contains(values, n):
			names := make([]string, len(values))
			for i, value := range values {
				names[i] = fmt.Sprintf("%d", value)
			}
			w.refuse(fmt.Sprintf("%d", n)+notAmong(names), nil)
		case n < 0 && int64(n) < -maxSafe, n > 0 && uint64(n) > maxSafe:
			w.refuse(tooBig, nil)
		default:
			w.buf = strconv.AppendInt(w.buf, int64(n), 10)
		}
	}
}

func notAmong(names []string) string {
	if len(names) == 1 {
		return " is not " + names[0]
	}
	return " is not one of " + strings.Join(names, ", ")
}
