package encode

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/unlisted"
)

type signed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

type unsigned interface {
	~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Bool encodes true or false.
func Bool[T ~bool](w *Writer, v *T) { w.buf = strconv.AppendBool(w.buf, bool(*v)) }

// String encodes a string.
func String[T ~string](w *Writer, v *T) { w.string(string(*v)) }

// Int encodes a number with all of its digits. Clients that use floats round numbers beyond 2^53-1, so
// [BigInt] is for integers that may be that large.
func Int[T signed](w *Writer, v *T) { w.buf = strconv.AppendInt(w.buf, int64(*v), 10) }

// Uint is [Int] for unsigned types.
func Uint[T unsigned](w *Writer, v *T) { w.buf = strconv.AppendUint(w.buf, uint64(*v), 10) }

// BigInt encodes an integer as a string of decimal digits.
func BigInt[T signed](w *Writer, v *T) {
	w.buf = append(strconv.AppendInt(append(w.buf, '"'), int64(*v), 10), '"')
}

// BigUint is [BigInt] for unsigned types.
func BigUint[T unsigned](w *Writer, v *T) {
	w.buf = append(strconv.AppendUint(append(w.buf, '"'), uint64(*v), 10), '"')
}

// Float encodes the shortest number that decodes to the same T. NaN and infinities are errors.
func Float[T ~float32 | ~float64](w *Writer, v *T) {
	x, bits := float64(*v), 64
	if math.IsNaN(x) || math.IsInf(x, 0) {
		w.refuse(strconv.FormatFloat(x, 'g', -1, 64)+" is not a JSON number", nil)
		return
	}
	if third := T(1) / 3; float64(third) != 1.0/3 {
		bits = 32
	}
	w.buf = jsontext.AppendFloat(w.buf, x, bits)
}

// Bytes encodes v as a string in padded standard base64.
func Bytes[T ~[]byte](w *Writer, v *T) {
	w.buf = append(base64.StdEncoding.AppendEncode(append(w.buf, '"'), *v), '"')
}

// Time encodes v as a string in RFC 3339 format. Years with more than four digits are errors.
func Time(w *Writer, v *time.Time) {
	text, err := v.AppendText(append(w.buf, '"'))
	if err != nil {
		w.refuse("the time cannot be written in RFC 3339 format", err)
	} else {
		w.buf = append(text, '"')
	}
}

// Duration encodes v as a string such as "1h30m0s", which decode.Duration accepts.
func Duration[T ~int64](w *Writer, v *T) { w.string(time.Duration(*v).String()) }

// Enum encodes a string that is one of the values. Other values are errors, because clients
// that validate the published output schema would drop the whole result.
func Enum[T ~string](values ...T) Func[T] {
	return func(w *Writer, v *T) {
		if slices.Contains(values, *v) {
			w.string(string(*v))
			return
		}
		var names []string
		for _, value := range values {
			names = append(names, strconv.Quote(string(value)))
		}
		w.refuse(strconv.Quote(phrase.Clip(string(*v), maxShown))+" is not "+phrase.OneOf(names), nil)
	}
}

// IntEnum encodes an integer that is one of the values. Other values are errors.
func IntEnum[T signed | unsigned](values ...T) Func[T] {
	return func(w *Writer, v *T) {
		if slices.Contains(values, *v) {
			w.buf = fmt.Appendf(w.buf, "%d", *v)
			return
		}
		var names []string
		for _, value := range values {
			names = append(names, fmt.Sprintf("%d", value))
		}
		w.refuse(fmt.Sprintf("%d is not %s", *v, phrase.OneOf(names)), nil)
	}
}

// Open encodes with f, which accepts more values than the given ones. The first time that another value occurs, it is
// logged.
func Open[T comparable](f Func[T], values ...T) Func[T] {
	return func(w *Writer, v *T) {
		if !slices.Contains(values, *v) {
			unlisted.Log(*v)
		}
		f(w, v)
	}
}

// Flags encodes a sum of the values as a list of their names. A value with other bits is an error.
func Flags[T signed | unsigned](names []string, values ...T) Func[T] {
	return func(w *Writer, v *T) {
		rest, set := *v, []string{}
		for i, value := range values {
			if *v&value != 0 {
				rest, set = rest&^value, append(set, names[i])
			}
		}
		if rest != 0 {
			w.refuse(fmt.Sprintf("%d has bits that are no flags: %d", *v, rest), nil)
			return
		}
		Array(w, set, String)
	}
}
