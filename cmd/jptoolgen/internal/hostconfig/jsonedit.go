package hostconfig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/jptool/jptool/internal/rawjson"
)

// maxDepth and maxValues bound the memory for a file, which may come from a cloned repository. hujson needs about 400
// bytes per value, and a stack frame per nesting level.
const (
	maxDepth  = 128
	maxValues = 500_000
)

var errTooLarge = fmt.Errorf("it has more than %d values or more than %d levels of nesting", maxValues, maxDepth)

// parseJSON parses a file, possibly with comments.
func parseJSON(text []byte) (hujson.Value, error) {
	depth, values := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			i += comment(text[i:])
		case '{', '[':
			depth++
			values++
		case ',':
			values++
		case '}', ']':
			depth--
		}
		if depth > maxDepth || values > maxValues {
			return hujson.Value{}, errTooLarge
		}
	}
	file, err := hujson.Parse(text)
	if err != nil { // hujson requires a line ending after a comment
		if ended, again := hujson.Parse(append(slices.Clip(text), '\n')); again == nil {
			ended.AfterExtra = bytes.TrimSuffix(ended.AfterExtra, []byte("\n"))
			return ended, nil
		}
		return file, fmt.Errorf("the file is not valid JSON: %w", err)
	}
	return file, nil
}

// comment returns the length of the comment at the start of text, without the comment's last byte.
func comment(text []byte) int {
	for open, end := range map[string]string{"//": "\n", "/*": "*/"} {
		if rest, ok := bytes.CutPrefix(text, []byte(open)); ok {
			inside, _, _ := bytes.Cut(rest, []byte(end))
			return min(len(open)+len(inside)+len(end), len(text)) - 1
		}
	}
	return 0
}

// add adds a member to an object in a file, or replaces the existing member with that name. It writes the member on
// separate lines. depth is the nesting depth of the object.
func add(to *hujson.Object, name string, value []byte, step string, depth int) error {
	margin := "\n" + strings.Repeat(step, depth)
	v, err := layOut(value, margin, step)
	if err != nil {
		return err
	}
	v.BeforeExtra = hujson.Extra(" ")
	if present := member(to, name); present != nil {
		v.BeforeExtra, v.AfterExtra = present.BeforeExtra, present.AfterExtra
		*present = v
		return nil
	}
	if n := len(to.Members); n > 0 && to.Members[n-1].Value.AfterExtra != nil {
		v.AfterExtra = hujson.Extra{} // in hujson, a non-nil AfterExtra represents a trailing comma
	}
	key := hujson.Value{Value: hujson.Literal(rawjson.Quote(name)), BeforeExtra: extraBefore(to.AfterExtra, margin)}
	to.Members = append(to.Members, hujson.ObjectMember{Name: key, Value: v})
	to.AfterExtra = hujson.Extra(margin[:len(margin)-len(step)])
	return nil
}

// push appends a value to a list in a file and writes it on separate lines.
func push(to *hujson.Array, value []byte, step string, depth int) error {
	margin := "\n" + strings.Repeat(step, depth)
	v, err := layOut(value, margin, step)
	if err != nil {
		return err
	}
	if n := len(to.Elements); n > 0 && to.Elements[n-1].AfterExtra != nil {
		v.AfterExtra = hujson.Extra{}
	}
	v.BeforeExtra = extraBefore(to.AfterExtra, margin)
	to.Elements = append(to.Elements, v)
	to.AfterExtra = hujson.Extra(margin[:len(margin)-len(step)])
	return nil
}

// layOut parses a value and indents its lines to match the margin.
func layOut(value []byte, margin, step string) (hujson.Value, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, value, margin[1:], step); err != nil {
		return hujson.Value{}, fmt.Errorf("formatting the entry: %w", err)
	}
	v, err := hujson.Parse(b.Bytes())
	if err != nil {
		return hujson.Value{}, fmt.Errorf("formatting the entry: %w", err)
	}
	return v, nil
}

// extraBefore returns the whitespace and comments to write before a new element. Comments after the last element stay
// with that element.
func extraBefore(last hujson.Extra, margin string) hujson.Extra {
	return append(bytes.TrimRight(last, " \t\r\n"), margin...)
}

// remove removes all members with the given name from an object.
func remove(from *hujson.Object, name string) {
	n := len(from.Members)
	i := slices.IndexFunc(from.Members, func(m hujson.ObjectMember) bool { return hasName(m, name) })
	if i < 0 {
		return
	}
	comma := from.Members[n-1].Value.AfterExtra != nil
	from.Members = slices.Delete(from.Members, i, i+1)
	if n > 1 && !comma {
		from.Members[n-2].Value.AfterExtra = nil // the file has no trailing comma here
	}
	remove(from, name) // the object may have several members with this name
}

// member returns the value of the last member with the given name, or nil if the object lacks it.
func member(o *hujson.Object, name string) *hujson.Value {
	for i := len(o.Members) - 1; i >= 0; i-- {
		if hasName(o.Members[i], name) {
			return &o.Members[i].Value
		}
	}
	return nil
}

func hasName(m hujson.ObjectMember, name string) bool {
	l, ok := m.Name.Value.(hujson.Literal)
	return ok && l.String() == name
}

// indentation returns the indentation of the first member in a file.
func indentation(root *hujson.Object) string {
	if len(root.Members) > 0 {
		before := string(root.Members[0].Name.BeforeExtra)
		if i := strings.LastIndexByte(before, '\n'); i >= 0 && i+1 < len(before) && strings.Trim(before[i+1:], " \t") == "" {
			return before[i+1:]
		}
	}
	return "  "
}

// decodeValue returns the Go value of a JSON value.
func decodeValue(v hujson.Value) (out any) {
	v = v.Clone()
	v.Standardize()
	if json.Unmarshal(v.Pack(), &out) != nil {
		return nil // cannot happen: hujson has parsed the value
	}
	return out
}

// encodeValue returns a value as JSON. Strings and decoded values can always be encoded.
func encodeValue(v any) []byte {
	text, _ := rawjson.Encode(v)
	return text
}

// printJSON returns a value as JSON, or "" if there is no value.
func printJSON(v any) string {
	if v == nil {
		return ""
	}
	return string(encodeValue(v))
}
