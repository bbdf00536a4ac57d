package wire

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

func text[S ~string](n node, s *S) {
	if !n.reading {
		n.out = appendString(n.out, string(*s))
	} else if n.is('"', "a string") {
		*s = S(n.in.text())
	}
}

// appendString escapes only what JSON requires, as Rust does. Bytes that are not UTF-8 become U+FFFD, because an
// envelope that cannot be parsed would lose the whole text.
func appendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, strings.ToValidUTF8(s, "\uFFFD"))
	return dst
}

func boolean(n node, b *bool) {
	switch {
	case !n.reading:
		n.out = strconv.AppendBool(n.out, *b)
	case n.in.kind() == 't':
		*b = true
	case n.is('f', "a boolean"):
		*b = false
	}
}

func number(n node, f *float64) {
	if !n.reading {
		n.out = appendFloat(n.out, *f)
	} else if n.is('0', "a number") {
		// Check has refused numbers that do not fit into a float.
		*f, _ = strconv.ParseFloat(strings.TrimSpace(string(n.in)), 64)
	}
}

// port accepts only digits: 80.0 and 8e1 are floats in serde.
func port(n node, p *uint16) {
	const want = "an integer from 0 to 65535"
	if !n.reading {
		n.out = strconv.AppendUint(n.out, uint64(*p), 10)
	} else if n.is('0', want) {
		text := strings.TrimSpace(string(n.in))
		read, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			n.fail("", expected(want, shorten(text)))
		}
		*p = uint16(read)
	}
}

// base64Bytes reads and writes bytes in base64. They are not nil after reading.
func base64Bytes(n node, b *[]byte) {
	if !n.reading {
		n.out = append(base64.StdEncoding.AppendEncode(append(n.out, '"'), *b), '"')
	} else if n.is('"', "a string") {
		read, err := base64.StdEncoding.Strict().AppendDecode([]byte{}, []byte(n.in.text()))
		if err != nil {
			n.fail("", errors.New("expected base64"))
		}
		*b = read
	}
}

// pointer returns the kind of an optional value. The caller omits the field if the pointer is nil.
func pointer[T any](k kind[T]) kind[*T] {
	return func(n node, p **T) {
		var v T
		if !n.reading && *p == nil {
			n.fail("", missing("a value"))
			return
		}
		if !n.reading {
			v = **p
		}
		if k(n, &v); n.reading && n.err == nil {
			*p = &v
		}
	}
}

// list returns the kind of a list with elements of kind k. Lists are never written as null, and are
// not nil after reading.
func list[T any](k kind[T]) kind[[]T] {
	item := func(n node, i int, v *T) {
		n.path = append(n.path, strconv.Itoa(i))
		k(n, v)
		n.path = n.path[:len(n.path)-1]
	}
	return func(n node, p *[]T) {
		if n.reading {
			if !n.is('[', "an array") {
				return
			}
			*p = []T{}
			for i, m := range n.in.members() {
				var v T
				n.in = value(m.Value)
				if item(n, i, &v); n.err != nil {
					return
				}
				*p = append(*p, v)
			}
			return
		}
		n.out = append(n.out, '[')
		for i, v := range *p {
			if i > 0 {
				n.out = append(n.out, ',')
			}
			item(n, i, &v)
		}
		n.out = append(n.out, ']')
	}
}

// rawObject reads or writes an unchanged JSON object; nil is written as {}.
func rawObject(n node, raw *json.RawMessage) {
	switch {
	case n.reading:
		if n.is('{', "an object") {
			*raw = slices.Clone(json.RawMessage(n.in))
		}
	case *raw == nil:
		n.out = append(n.out, "{}"...)
	case n.checked(*raw):
		n.out = append(n.out, *raw...)
	}
}

// canonical reads or writes any JSON value in the form that serde_json writes.
func canonical(n node, raw *json.RawMessage) {
	if n.reading {
		*raw = appendCanonical(nil, n.in)
	} else if n.checked(*raw) {
		n.out = appendCanonical(n.out, value(*raw))
	}
}

// checked reports whether raw is valid at the node. If not, it ends the walk with an error.
func (n node) checked(raw []byte) bool {
	err := check(raw, maxDepth-len(n.path))
	if err != nil {
		n.fail("", err)
	}
	return err == nil
}

// dictionary reads or writes an object with arbitrary member names. The names are written in sorted order.
// If a name is repeated, the last value is used, as in serde's maps.
func dictionary(n node, all *map[string]json.RawMessage) {
	if n.reading {
		if !n.is('{', "an object") {
			return
		}
		*all = make(map[string]json.RawMessage)
		for _, m := range n.in.members() {
			(*all)[m.Name] = slices.Clone(json.RawMessage(m.Value))
		}
		return
	}
	n.object(func(f *fields) {
		for _, name := range slices.Sorted(maps.Keys(*all)) {
			raw := (*all)[name]
			field(f, name, required, &raw, rawObject)
		}
	})
}
