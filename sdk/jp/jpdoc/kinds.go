package jpdoc

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/jp/wire"
)

func text[S ~string](n node, s *S) {
	if !n.reading {
		n.out = appendString(n.out, string(*s))
	} else if n.is('"', "a string") {
		*s = S(rawjson.Text(n.in))
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
	case n.in.Kind() == 't':
		*b = true
	case n.is('f', "a boolean"):
		*b = false
	}
}

func number(n node, f *float64) {
	if n.is('0', "a number") {
		// Check has rejected numbers that do not fit into a float.
		*f, _ = strconv.ParseFloat(strings.TrimSpace(string(n.in)), 64)
	}
}

// port writes a port number. It does not read, because contexts are only written.
func port(n node, p *uint16) { n.out = strconv.AppendUint(n.out, uint64(*p), 10) }

// base64Bytes reads bytes in base64. They are not nil after reading.
func base64Bytes(n node, b *[]byte) {
	if n.is('"', "a string") {
		read, err := base64.StdEncoding.Strict().AppendDecode([]byte{}, []byte(rawjson.Text(n.in)))
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
	return func(n node, p *[]T) {
		if n.reading {
			if !n.is('[', "an array") {
				return
			}
			*p = []T{}
			for i, m := range rawjson.Parts(n.in) {
				var v T
				n.in = m.Value
				if n.at(strconv.Itoa(i), func() { k(n, &v) }); n.err != nil {
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
			n.at(strconv.Itoa(i), func() { k(n, &v) })
		}
		n.out = append(n.out, ']')
	}
}

// rawObject writes a JSON object unchanged; nil is written as {}.
func rawObject(n node, raw *json.RawMessage) {
	if *raw == nil {
		n.out = append(n.out, "{}"...)
	} else if n.check(*raw) {
		n.out = append(n.out, *raw...)
	}
}

// canonical reads or writes any JSON value in the form that serde_json writes.
func canonical(n node, raw *json.RawMessage) {
	if n.reading {
		*raw = appendCanonical(nil, n.in)
	} else if n.check(*raw) {
		n.out = appendCanonical(n.out, jsontext.Value(*raw))
	}
}

// check reports whether raw is valid at the node. If not, it ends the walk with an error.
func (n node) check(raw []byte) bool {
	err := wire.Check(raw)
	if room := wire.MaxDepth - len(n.path); err == nil && rawjson.Depth(raw) > room {
		err = fmt.Errorf("expected at most %d levels of nesting", room)
	}
	if err != nil {
		n.fail("", err)
	}
	return err == nil
}

// dictionary writes an object with arbitrary member names, in sorted order.
func dictionary(n node, all *map[string]json.RawMessage) {
	n.object(func(f *fields) {
		for _, name := range slices.Sorted(maps.Keys(*all)) {
			raw := (*all)[name]
			field(f, name, required, &raw, rawObject)
		}
	})
}

// appendCanonical appends v as serde_json's Value prints it: compact, in the order of the object, with the
// last value of a repeated member at the member's first position, and numbers as integers or shortest floats.
func appendCanonical(dst []byte, v jsontext.Value) []byte {
	switch v.Kind() {
	case '"':
		return appendString(dst, rawjson.Text(v))
	case '0':
		return appendNumber(dst, strings.TrimSpace(string(v)))
	case '[', '{':
		members, end, isObject := rawjson.Parts(v), byte(']'), v.Kind() == '{'
		if isObject {
			members, end = dropDuplicates(members), '}'
		}
		dst = append(dst, byte(v.Kind()))
		for i, m := range members {
			if i > 0 {
				dst = append(dst, ',')
			}
			if isObject {
				dst = append(appendString(dst, m.Name), ':')
			}
			dst = appendCanonical(dst, m.Value)
		}
		return append(dst, end)
	}
	return append(dst, strings.TrimSpace(string(v))...)
}

func dropDuplicates(members []rawjson.Member) []rawjson.Member {
	places := make(map[string]int, len(members))
	kept := members[:0]
	for _, m := range members {
		if i, again := places[m.Name]; again {
			kept[i] = m
			continue
		}
		places[m.Name] = len(kept)
		kept = append(kept, m)
	}
	return kept
}

// appendNumber keeps 64-bit integers unchanged; all other numbers, including -0, become floats.
func appendNumber(dst []byte, text string) []byte {
	if !strings.ContainsAny(text, ".eE") && text != "-0" {
		_, signed := strconv.ParseInt(text, 10, 64)
		_, unsigned := strconv.ParseUint(text, 10, 64)
		if signed == nil || unsigned == nil {
			return append(dst, text...)
		}
	}
	f, _ := strconv.ParseFloat(text, 64)
	return appendFloat(dst, f)
}

// appendFloat appends the shortest digits that parse as f, with at least one decimal place. Values outside
// [1e-5, 1e16) have an exponent.
func appendFloat(dst []byte, f float64) []byte {
	if abs := math.Abs(f); abs != 0 && (abs < 1e-5 || abs >= 1e16) {
		text := strconv.FormatFloat(f, 'e', -1, 64)
		text = strings.Replace(text, "e-0", "e-", 1)
		return append(dst, text...)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return append(dst, text...)
}
