package wire

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is the number of nested arrays and objects that serde_json follows; one more refuses
// the document, wherever it is.
const MaxDepth = 127

// Check reports whether data is one JSON document that serde_json can hold: well-formed, Unicode
// without lone surrogates, at most [MaxDepth] containers deep, every number within a 64-bit float.
// White space around it is fine and names may repeat. The error is an [*Error] with CodeSyntax,
// CodeDepth or CodeNumber.
func Check(data []byte) error { return check(data, MaxDepth) }

func check(data []byte, depth int) error {
	dec := newDecoder(data)
	for {
		if dec.PeekKind() == '0' {
			number, err := dec.ReadValue()
			if err != nil {
				return syntax(err)
			}
			if !fitsFloat(number) {
				return &Error{Code: CodeNumber, Want: "a number below 1.8e308"}
			}
		} else if _, err := dec.ReadToken(); err != nil {
			return syntax(err)
		}
		switch open := dec.StackDepth(); {
		case open > depth:
			return &Error{Code: CodeDepth, Want: "at most " + strconv.Itoa(depth) + " nested containers"}
		case open == 0:
			return checkEnd(dec)
		}
	}
}

func checkEnd(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err == nil {
		return syntax(errors.New("text after the document"))
	} else if !errors.Is(err, io.EOF) {
		return syntax(err)
	}
	return nil
}

// newDecoder reads data in place. Names may repeat because serde minds only those it knows.
func newDecoder(data []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
}

func syntax(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the document ends too early")
	}
	return &Error{Code: CodeSyntax, Want: "one JSON document", Err: err}
}

func fitsFloat(number []byte) bool {
	text := string(number)
	if len(text) <= 300 && !strings.ContainsAny(text, "eE") {
		return true
	}
	f, _ := strconv.ParseFloat(text, 64)
	return !math.IsInf(f, 0)
}
