package decode

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
)

// Maximum numbers of problems and warnings that are stored and shown.
const (
	maxKept   = 100
	maxListed = 20
)

// A Problem is a value that does not match the schema. The caller's text in it is shortened to
// 60 characters.
type Problem struct {
	// Path locates the value, such as items[2].name; "" means the arguments as a whole.
	Path string `json:"path"`
	// Expected describes the expected value, such as: an integer from 1 to 10.
	Expected string `json:"expected"`
	// Got describes the value that was sent, such as: the string "abc".
	Got string `json:"got"`
	// Hint suggests a correction, if one is likely.
	Hint string `json:"hint,omitempty"`

	what         string
	at           int32  // the value that a Func has rejected, or the object that lacks a member
	noun, extent string // form Expected if a Func has rejected the value
	lacks        string // the name of the member
}

// A Report is the result of decoding. The zero Report has no problems.
type Report struct {
	// Problems are in the order of declared fields, at most 100.
	Problems []Problem
	// Warnings are sentences about ignored names that are similar to declared ones.
	Warnings []string

	more int // problems beyond those stored
}

// Merge appends another report.
func (r *Report) Merge(other Report) {
	room := max(0, min(maxKept-len(r.Problems), len(other.Problems)))
	r.Problems = append(r.Problems, other.Problems[:room]...)
	r.more += other.more + len(other.Problems) - room
	r.Warnings = append(r.Warnings, other.Warnings...)
}

// Err returns nil if there are no problems, otherwise a *[fault.Error] with the code
// [fault.InvalidInput]. Its message lists the first 20 problems, one per line; its details
// have them under "problems".
func (r Report) Err() error {
	if len(r.Problems) == 0 {
		return nil
	}
	var lines []string
	for _, p := range r.Problems[:min(maxListed, len(r.Problems))] {
		lines = append(lines, p.line())
	}
	if more := len(r.Problems) - len(lines) + r.more; more > 0 {
		lines = append(lines, "and "+strconv.Itoa(more)+" more")
	}
	err := fault.New(fault.InvalidInput, "%s", strings.Join(lines, "\n"))
	err.Details = map[string]any{"problems": slices.Clone(r.Problems)}
	return err
}

func (p *Problem) line() string {
	place := "s"
	if p.Path != "" {
		place = " " + p.Path
	}
	line := cmp.Or(p.what, "argument") + place + ": expected " + p.Expected + ", got " + p.Got
	if p.Hint != "" {
		line += "; " + p.Hint
	}
	return line
}

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
	return "…" + strings.ToValidUTF8(path[len(path)-maxPath:], "") // without a partial character
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
