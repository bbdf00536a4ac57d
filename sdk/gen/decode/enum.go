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
		text, alike := string(v.node().text), 0
		var found T
		for _, value := range values {
			if text == string(value) {
				found, alike = value, 1
				break
			}
			if strings.EqualFold(text, string(value)) {
				found = value
				alike++
			}
		}
		if v.kind() == kindString && alike == 1 {
			*dst = found
			return
		}
		var names []string
		for _, value := range values {
			names = append(names, string(value))
		}
		v.refuseEnum(names)
	}
}

// IntEnum decodes an integer that is one of the values.
func IntEnum[T signed | unsigned](values ...T) Func[T] {
	return func(v Value, dst *T) {
		var n T
		if !v.d.try(func() { integer(v, &n) }).refused && slices.Contains(values, n) {
			*dst = n
			return
		}
		var names []string
		for _, value := range values {
			names = append(names, fmt.Sprintf("%d", value))
		}
		v.refuse(phrase.OneOf(names), "", "")
	}
}

func (v Value) refuseEnum(names []string) {
	const many = 8 // with more values, a similar one is shown instead of all
	hint := ""
	if v.kind() == kindString {
		hint = didYouMean(string(v.node().text), names)
	}
	if hint != "" && len(names) > many {
		v.refuse("one of "+strconv.Itoa(len(names))+" values", "", hint)
		return
	}
	for i, name := range names {
		names[i] = strconv.Quote(name)
	}
	v.refuse(phrase.OneOf(names), "", hint)
}
