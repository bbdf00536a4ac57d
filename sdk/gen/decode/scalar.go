package decode

import (
	"bytes"
	"encoding/base64"
	"strings"
	"time"
)

// Bool decodes true or false.
func Bool[T ~bool](v Value, dst *T) {
	kind := v.kind()
	if kind == kindString {
		kind = startOf(v.node().text)
	}
	if kind != kindFalse {
		kind = kindTrue
	}
	if v.want(kind, "true or false") {
		*dst = kind == kindTrue
	}
}

// String decodes a string. Numbers and booleans are refused, because their intended text is
// unknown.
func String[T ~string](v Value, dst *T) {
	if v.want(kindString, "a string") {
		*dst = T(v.node().text)
	}
}

// Bytes decodes a base64 string in the standard or the URL alphabet, with or without padding.
// Line breaks are ignored, as in encoding/json.
func Bytes[T ~[]byte](v Value, dst *T) {
	const noun = "a string in base64"
	if !v.want(kindString, noun) {
		return
	}
	text := v.node().text
	encoding := base64.StdEncoding
	if bytes.ContainsAny(text, "-_") {
		encoding = base64.URLEncoding
	}
	if bytes.IndexByte(text, '=') < 0 {
		encoding = encoding.WithPadding(base64.NoPadding)
	}
	data, err := encoding.AppendDecode(make([]byte, 0, encoding.DecodedLen(len(text))), text)
	if err != nil {
		v.refuse(noun, "", "")
		return
	}
	*dst = data
}

// Time decodes a string in RFC 3339 format.
func Time(v Value, dst *time.Time) {
	const noun = `a time such as "2026-01-31T15:04:05Z"`
	if !v.want(kindString, noun) {
		return
	}
	var t time.Time
	if err := t.UnmarshalText(v.node().text); err != nil {
		v.refuse(noun, "", "")
		return
	}
	*dst = t
}

// Duration decodes a string in the format of [time.ParseDuration]. Numbers, even as strings,
// are refused, because their unit is unknown.
func Duration[T ~int64](v Value, dst *T) {
	const noun = `a duration such as "1h30m"`
	hint := ""
	switch v.kind() {
	case kindNumber:
		hint = `give it a unit, such as "90s"`
	case kindString:
		text := string(v.node().text)
		duration, err := time.ParseDuration(text)
		if err == nil {
			*dst = T(duration)
			return
		}
		if strings.Trim(text, "0123456789.+-") == "" && text != "" {
			hint = `give it a unit, such as "90s"`
		}
	}
	v.refuse(noun, "", hint)
}
