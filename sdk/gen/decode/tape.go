package decode

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// Limits of a document. Larger documents are rejected before any target is modified.
const (
	maxDepth  = 128
	maxValues = 1 << 20
)

type kind = jsontext.Kind

const (
	kindNull   = jsontext.KindNull
	kindTrue   = jsontext.KindTrue
	kindFalse  = jsontext.KindFalse
	kindString = jsontext.KindString
	kindNumber = jsontext.KindNumber
	kindObject = jsontext.KindBeginObject
	kindList   = jsontext.KindBeginArray
)

// A node is a JSON value. Nodes refer to each other by index; index 0 means no node.
type node struct {
	name   []byte // unquoted member name, if the parent is an object
	text   []byte // unquoted for strings, else the JSON text
	parent int32
	first  int32 // first child
	next   int32 // next sibling
	count  int32 // number of children
	kind   kind
	used   bool // a declared field uses the member
	quoted bool // the value was sent inside a string
}

// A tape holds the values of a document, and of documents inside its strings.
type tape struct {
	nodes   []node
	scratch []byte // unquoted strings that cannot alias the input
	tokens  jsontext.Decoder
	input   bytes.Buffer
}

// scan parses text and appends its values to the tape. from is the node that contains the text, or
// 0 for the arguments themselves. If scan returns a problem, the tape is unchanged.
func (t *tape) scan(text []byte, from int32) (root int32, bad *Problem) {
	mark := len(t.nodes)
	t.input = *bytes.NewBuffer(text)
	t.tokens.Reset(&t.input)
	root, bad = t.value(text, from, nil, t.depth(from))
	if bad == nil {
		if _, err := t.tokens.ReadToken(); err == nil {
			bad = &Problem{Expected: "one JSON value", Got: "more than one"}
		} else if err != io.EOF {
			bad = t.tokenError(err, from)
		}
	}
	if bad != nil {
		clear(t.nodes[mark:])
		t.nodes = t.nodes[:mark]
	}
	return root, bad
}

func (t *tape) value(text []byte, parent int32, name []byte, depth int) (int32, *Problem) {
	if len(t.nodes) > maxValues {
		return 0, &Problem{Expected: "at most " + strconv.Itoa(maxValues) + " values", Got: "more"}
	}
	at := int32(len(t.nodes))
	kind := t.tokens.PeekKind()
	t.nodes = append(t.nodes, node{kind: kind, parent: parent, name: name})
	if kind != kindObject && kind != kindList {
		raw, err := t.tokens.ReadValue()
		if err != nil {
			return 0, t.tokenError(err, parent)
		}
		if kind == kindString {
			raw = t.unquote(raw)
		}
		t.nodes[at].text = raw
		return at, nil
	}
	if depth == maxDepth {
		return 0, &Problem{
			Path: t.path(parent), Expected: "at most " + strconv.Itoa(maxDepth) + " levels of lists and objects", Got: "more",
		}
	}
	if _, err := t.tokens.ReadToken(); err != nil {
		return 0, t.tokenError(err, parent)
	}
	start := t.tokens.InputOffset() - 1
	for last := int32(0); ; {
		if end := t.tokens.PeekKind(); end == jsontext.KindEndObject || end == jsontext.KindEndArray {
			break
		}
		var name []byte
		if kind == kindObject {
			raw, err := t.tokens.ReadValue()
			if err != nil {
				return 0, t.tokenError(err, at)
			}
			name = t.unquote(raw)
		}
		child, bad := t.value(text, at, name, depth+1)
		if bad != nil {
			return 0, bad
		}
		if last == 0 {
			t.nodes[at].first = child
		} else {
			t.nodes[last].next = child
		}
		last = child
		t.nodes[at].count++
	}
	if _, err := t.tokens.ReadToken(); err != nil {
		return 0, t.tokenError(err, at)
	}
	t.nodes[at].text = text[start:t.tokens.InputOffset()]
	return at, nil
}

// member returns the member of an object with the given name, or 0 if there is none.
func (t *tape) member(object int32, name string) int32 {
	for at := t.nodes[object].first; at != 0; at = t.nodes[at].next {
		if string(t.nodes[at].name) == name {
			return at
		}
	}
	return 0
}

// unquote returns the text of a valid JSON string.
func (t *tape) unquote(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	start := len(t.scratch)
	t.scratch, _ = jsontext.AppendUnquote(t.scratch, quoted)
	return t.scratch[start:len(t.scratch):len(t.scratch)]
}

// keep copies text to the scratch buffer.
func (t *tape) keep(text string) []byte {
	start := len(t.scratch)
	t.scratch = append(t.scratch, text...)
	return t.scratch[start:len(t.scratch):len(t.scratch)]
}

// depth returns the number of lists and objects around a node, including itself.
func (t *tape) depth(at int32) (n int) {
	for ; at != 0; at = t.nodes[at].parent {
		if kind := t.nodes[at].kind; kind == kindObject || kind == kindList {
			n++
		}
	}
	return n
}

// tokenError describes a tokenizer error inside a node.
func (t *tape) tokenError(err error, at int32) *Problem {
	bad := &Problem{Expected: "valid JSON", Got: "invalid JSON"}
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		bad.Got = "text that ends too early"
	case errors.Is(err, jsontext.ErrDuplicateName) && ok:
		bad.Path = join(t.path(at), []byte(syntax.JSONPointer.LastToken()))
		bad.Expected, bad.Got = "a unique name", "a duplicate name"
	case ok:
		reason := strings.TrimPrefix(syntax.Err.Error(), "jsontext: ")
		bad.Got = phrase.Clip(reason, maxHint) + " at byte " + strconv.FormatInt(syntax.ByteOffset, 10)
	}
	return bad
}
