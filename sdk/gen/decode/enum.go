package decode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
)

// Enum decodes a string that is one of the values, or that differs from exactly one of them
// only in case. A problem's hint suggests the nearest value.
func Enum[T ~string](values ...T) Func[T] {
	return func(v Value, dst *T) {
		if v.kind() == kindString {
			if value, ok := among(string(v.node().text), values); ok {
				*dst = value
				return
			}
		}
		names := make([]string, len(values))
		for i, value := range values {
			names[i] = string(value)
		}
		v.refuseEnum(names)
	}
}

func among[T ~string](text string, values []T) (found T, ok bool) {
	alike := 0
	for _, value := range values {
		if text == string(value) {
			return value, true
		}
		if strings.EqualFold(text, string(value)) {
			found = value
			alike++
		}
	}
	return found, alike == 1
}

// IntEnum decodes an integer that is one of the values.
func IntEnum[T signed | unsigned](values ...T) Func[T] {
	return func(v Value, dst *T) {
		var n T
		if !v.d.try(func() { integer(v, &n) }).refused && slices.Contains(values, n) {
			*dst = n
			return
		}
		names := make([]string, len(values))
		for i, value := range values {
			names[i] = fmt.Sprintf("%d", value)
		}
		v.refuse(phrase.OneOf(names), "", "")
	}
}

func (v Value) refuseEnum(names []string) {
	hint := ""
	const many = 8 // with more values, a similar one is shown instead of all
	if v.kind() == kindString {
		hint = didYouMean(string(v.node().text), names)
		if hint != "" && len(names) > many {
			v.refuse("one of "+strconv.Itoa(len(names))+" values", "", hint)
			return
		}
	}
	for i, name := range names {
		names[i] = strconv.Quote(name)
	}
	v.refuse(phrase.OneOf(names), "", hint)
}
