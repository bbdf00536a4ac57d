package hostconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// A jsonFormat is a JSON file, maybe with comments, that has a member with an entry
// for each server.
type jsonFormat struct {
	member string
	// stdio and remote are the values of "type", "" for a host that has no such word.
	stdio, remote string
	// url is the member that has a server's address, "" for a host that knows none.
	url string
}

func (f jsonFormat) entry(e Entry) (json.RawMessage, error) {
	var w object
	if e.URL != "" {
		if f.url == "" {
			return nil, errors.New("this host starts servers itself: name a command, not an address")
		}
		w.put("type", f.remote)
		w.put(f.url, e.URL)
		return w.bytes(), nil
	}
	w.put("type", f.stdio)
	w.put("command", e.Command[0])
	if len(e.Command) > 1 {
		w.put("args", e.Command[1:])
	}
	if len(e.Env) > 0 {
		var env object
		for _, v := range e.Env {
			name, value, _ := strings.Cut(v, "=")
			env.put(name, value, keepEmpty)
		}
		w.put("env", json.RawMessage(env.bytes()))
	}
	return w.bytes(), nil
}

func (f jsonFormat) snippet(e Entry) ([]byte, error) { return f.merge(nil, e) }

func (f jsonFormat) merge(old []byte, e Entry) ([]byte, error) {
	if len(bytes.TrimSpace(old)) == 0 {
		old = []byte("{}\n")
	}
	entry, err := f.entry(e)
	if err != nil {
		return nil, err
	}
	file, err := hujson.Parse(old)
	if err != nil {
		return nil, fmt.Errorf("the file is not JSON: %w", err)
	}
	root, ok := file.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("the file is not a JSON object")
	}
	step := indentation(root)
	servers := member(root, f.member)
	if servers == nil {
		return add(file, root, f.member, []byte(`{`+string(quote(e.Name))+`:`+string(entry)+`}`), step, 1)
	}
	inner, ok := servers.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%s in the file is not an object", f.member)
	}
	if present := member(inner, e.Name); present != nil && same(*present, entry) {
		return old, nil
	}
	return add(file, inner, e.Name, entry, step, 2)
}

// add puts a member into an object of a file, on lines of its own, in place of one
// of that name, and returns the file. The object lies depth levels deep.
func add(file hujson.Value, to *hujson.Object, name string, value []byte, step string, depth int) ([]byte, error) {
	margin := "\n" + strings.Repeat(step, depth)
	var b bytes.Buffer
	if err := json.Indent(&b, value, margin[1:], step); err != nil {
		return nil, fmt.Errorf("laying out the server: %w", err)
	}
	v, err := hujson.Parse(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("laying out the server: %w", err)
	}
	v.BeforeExtra = hujson.Extra(" ")
	if present := member(to, name); present != nil {
		v.BeforeExtra, v.AfterExtra = present.BeforeExtra, present.AfterExtra
		*present = v
		return file.Pack(), nil
	}
	if n := len(to.Members); n > 0 && to.Members[n-1].Value.AfterExtra != nil {
		v.AfterExtra = hujson.Extra{} // that is how hujson says that a comma follows the last member
	}
	key := hujson.Value{Value: hujson.Literal(quote(name)), BeforeExtra: hujson.Extra(margin)}
	if remark := bytes.TrimRight(to.AfterExtra, " \t\r\n"); len(remark) > 0 { // stays before what is new
		key.BeforeExtra = append(remark, margin...)
	}
	to.Members = append(to.Members, hujson.ObjectMember{Name: key, Value: v})
	to.AfterExtra = hujson.Extra(margin[:len(margin)-len(step)])
	return file.Pack(), nil
}

// member returns the value of the last member of that name, or nil.
func member(o *hujson.Object, name string) *hujson.Value {
	for i := len(o.Members) - 1; i >= 0; i-- {
		if l, ok := o.Members[i].Name.Value.(hujson.Literal); ok && l.String() == name {
			return &o.Members[i].Value
		}
	}
	return nil
}

// indentation is that of a file's first member.
func indentation(root *hujson.Object) string {
	if len(root.Members) > 0 {
		before := string(root.Members[0].Name.BeforeExtra)
		if i := strings.LastIndexByte(before, '\n'); i >= 0 && i+1 < len(before) && strings.Trim(before[i+1:], " \t") == "" {
			return before[i+1:]
		}
	}
	return "  "
}

// same reports whether a value says what entry says.
func same(v hujson.Value, entry []byte) bool {
	v = v.Clone()
	v.Standardize()
	var have, want bytes.Buffer
	if json.Compact(&have, v.Pack()) != nil || json.Compact(&want, entry) != nil {
		return false
	}
	return bytes.Equal(have.Bytes(), want.Bytes())
}

func quote(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be encoded
	return bytes.TrimSpace(b.Bytes())
}

// An object is a JSON object whose members keep the order they were put in.
type object struct{ b bytes.Buffer }

type emptyOr bool

const keepEmpty emptyOr = true

// put adds a member, unless value is "" and is not to be kept.
func (o *object) put(name string, value any, keep ...emptyOr) {
	if value == "" && len(keep) == 0 {
		return
	}
	if o.b.Len() > 0 {
		o.b.WriteByte(',')
	}
	o.b.Write(quote(name))
	o.b.WriteByte(':')
	switch v := value.(type) {
	case string:
		o.b.Write(quote(v))
	case []string:
		o.b.WriteByte('[')
		for i, s := range v {
			if i > 0 {
				o.b.WriteByte(',')
			}
			o.b.Write(quote(s))
		}
		o.b.WriteByte(']')
	case json.RawMessage:
		o.b.Write(v)
	}
}

func (o *object) bytes() []byte { return []byte("{" + o.b.String() + "}") }
