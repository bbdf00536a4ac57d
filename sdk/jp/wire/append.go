package wire

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// appendString writes s as Rust does: nothing escaped but what JSON demands. Bytes that are not
// UTF-8 become U+FFFD, because an envelope that cannot be read would lose all of the text.
func appendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, strings.ToValidUTF8(s, "\uFFFD"))
	return dst
}

// appendStrings writes a list, never null: the reader refuses that.
func appendStrings(dst []byte, list []string) []byte { return appendList(dst, list, appendString) }

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

func appendUint16(dst []byte, n uint16) []byte { return strconv.AppendUint(dst, uint64(n), 10) }

func appendOpt[T any](dst []byte, p *T, write func([]byte, T) []byte) []byte {
	if p == nil {
		return append(dst, "null"...)
	}
	return write(dst, *p)
}

func appendList[T any](dst []byte, list []T, write func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, item := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = write(dst, item)
	}
	return append(dst, ']')
}
