package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// maxDepth is the maximum nesting of arrays and objects in serde_json, which refuses deeper documents.
const maxDepth = 127

// Check returns an error unless data is one JSON document that serde_json can represent: well-formed, Unicode
// without lone surrogates, at most 127 containers deep, every number within a 64-bit float. Surrounding white
// space and repeated member names are allowed.
func Check(data []byte) error { return check(data, maxDepth) }

func check(data []byte, depth int) error {
	dec := newDecoder(data)
	for {
		if dec.PeekKind() == '0' {
			number, err := dec.ReadValue()
			if err != nil {
				return syntax(err)
			}
			if _, err := strconv.ParseFloat(string(number), 64); err != nil {
				return errors.New("expected a number below 1.8e308")
			}
		} else if _, err := dec.ReadToken(); err != nil {
			return syntax(err)
		}
		switch open := dec.StackDepth(); {
		case open > depth:
			return fmt.Errorf("expected at most %d nested containers", depth)
		case open == 0:
			return checkEnd(data[dec.InputOffset():])
		}
	}
}

func checkEnd(rest []byte) error {
	if len(bytes.Trim(rest, " \t\r\n")) > 0 {
		return errors.New("unexpected text after the document")
	}
	return nil
}

// newDecoder returns a decoder that decodes data in place. It allows repeated member names, because
// serde refuses only repeated names that it knows.
func newDecoder(data []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
}

func syntax(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("unexpected end of the document")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "jsontext: "))
}

// value is the text of a JSON value in a document that passed [Check], so that decoding it cannot fail. A nil
// value is absent.
type value jsontext.Value

func (v value) kind() jsontext.Kind { return jsontext.Value(v).Kind() }
func (v value) absent() bool        { return v == nil }
func (v value) null() bool          { return v.kind() == 'n' }

// members returns the members or elements of v, in order, including members with repeated names.
func (v value) members() []rawjson.Member { return rawjson.Parts(jsontext.Value(v)) }

func (v value) text() string {
	text, _ := jsontext.AppendUnquote(nil, v)
	return string(text)
}

// typeName returns the JSON type of v with its article, for error messages.
func (v value) typeName() string {
	switch kind := v.kind(); kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '[':
		return "an array"
	case '{':
		return "an object"
	default:
		return "a " + kind.String() // string or number
	}
}

func missing(want string) error { return errors.New("missing, expected " + want) }

// expected returns an error. It describes the actual value by its JSON type, a count or [shorten], so that
// errors never contain the document itself.
func expected(want, got string) error { return fmt.Errorf("expected %s, got %s", want, got) }

// shorten shortens a name from a document for an error message.
func shorten[S ~string](s S) string {
	return phrase.Quoted(string(s), 40)
}
