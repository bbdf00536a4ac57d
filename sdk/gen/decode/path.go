package decode

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jptool/jptool/internal/phrase"
)

// Limits for the caller's text in messages, in characters.
const (
	maxShown = 60
	maxPath  = 200
	maxHint  = 200
)

// path returns the path of a node, such as items[2].name, and "" for the root.
func (t *tape) path(at int32) string {
	if at == 0 || t.nodes[at].parent == 0 {
		return ""
	}
	parent := t.nodes[at].parent
	switch t.nodes[parent].kind {
	case kindObject:
		return join(t.path(parent), t.nodes[at].name)
	case kindString: // the string that contained this value
		return t.path(parent)
	}
	i := 0
	for child := t.nodes[parent].first; child != at && child != 0; i++ {
		child = t.nodes[child].next
	}
	return shorten(t.path(parent) + "[" + strconv.Itoa(i) + "]")
}

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// join appends a member name to a path.
func join(path string, name []byte) string {
	shown := phrase.Clip(string(name), maxShown)
	switch {
	case len(name) == 0 || len(bytes.Trim(name, plain)) > 0:
		return shorten(path + "[" + strconv.Quote(shown) + "]")
	case path == "":
		return shown
	}
	return shorten(path + "." + shown)
}

// shorten keeps the end of a long path, which distinguishes it from others.
func shorten(path string) string {
	if len(path) <= maxPath {
		return path
	}
	return "…" + strings.ToValidUTF8(path[len(path)-maxPath:], "") // without a part of a character
}

// show describes a node in a message.
func (t *tape) show(at int32) string {
	switch n := &t.nodes[at]; {
	case n.kind == kindString, n.kind == kindNumber && n.quoted:
		return "the string " + quote(n.text)
	case n.kind == kindNumber:
		return "the number " + phrase.Clip(string(n.text[:min(len(n.text), 4*maxShown)]), maxShown)
	case n.kind == kindList && n.count == 0:
		return "an empty list"
	case n.kind == kindList:
		return "a list of " + phrase.Plural(int(n.count), "item")
	case n.kind == kindObject:
		return anObject
	default:
		return string(n.text)
	}
}

func quote(text []byte) string {
	return strconv.Quote(phrase.Clip(string(text[:min(len(text), 4*maxShown+utf8.UTFMax)]), maxShown))
}
