package hostconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tailscale/hujson"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
	"github.com/jptool/jptool/internal/rawjson"
)

// A jsonFormat describes a JSON file, possibly with comments, in which an object has an entry for each server.
type jsonFormat struct {
	member string
	// stdio and remote are the values of the "type" member, or "" for a host without this member.
	stdio, remote string
	// url is the name of the member for a server's URL, or "" for a host that does not support URLs.
	url string
	// reference returns the host's syntax for an environment variable within a value. If the host has no such
	// syntax, reference is nil and instead holds advice for the user.
	reference func(name string) string
	instead   string
	// inputs is set if the host asks for secrets. The file must declare them, and refers to them as
	// ${input:NAME}.
	inputs bool
}

// fields returns the members of an entry that this package writes.
func (f jsonFormat) fields() []field {
	all := []field{{name: "command"}, {name: "args"}, {name: "env", grows: true}}
	if f.url != "" {
		all = append(all, field{name: f.url})
	}
	if f.stdio != "" {
		all = append([]field{{name: "type", implied: f.stdio}}, all...)
	}
	return all
}

func (f jsonFormat) entry(e Entry) (json.RawMessage, error) {
	var w object
	if e.URL != "" {
		if f.url == "" {
			return nil, errors.New("this host cannot connect to a server by URL; use a target that runs a program")
		}
		if f.remote != "" {
			w.put("type", f.remote)
		}
		w.put(f.url, e.URL)
		return w.bytes(), nil
	}
	if f.stdio != "" {
		w.put("type", f.stdio)
	}
	w.put("command", e.Command[0])
	if len(e.Command) > 1 {
		w.put("args", e.Command[1:])
	}
	if len(e.Env) > 0 {
		env, err := f.env(e)
		if err != nil {
			return nil, err
		}
		w.put("env", env)
	}
	return w.bytes(), nil
}

func (f jsonFormat) env(e Entry) (json.RawMessage, error) {
	var env object
	for _, v := range e.variables() {
		if v.hasReferences() && f.reference == nil {
			return nil, fmt.Errorf("env %s: %s", v.name, f.instead)
		}
		env.put(v.name, secret.Refer(v.value, func(name string) string {
			if f.inputs && e.isSecret(v.name, name) {
				return "${input:" + name + "}"
			}
			return f.reference(name)
		}))
	}
	return env.bytes(), nil
}

func (f jsonFormat) snippet(e Entry) ([]byte, error) { return f.merge(nil, e, false) }

func (f jsonFormat) merge(old []byte, e Entry, replace bool) ([]byte, error) {
	if len(bytes.TrimSpace(old)) == 0 {
		old = []byte("{}\n")
	}
	entry, err := f.entry(e)
	if err != nil {
		return nil, err
	}
	file, err := parseJSON(old)
	if err != nil {
		return nil, err
	}
	root, ok := file.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("the file is not a JSON object")
	}
	step := indentation(root)
	servers := member(root, f.member)
	if servers == nil {
		err = add(root, f.member, []byte(`{`+string(rawjson.Quote(e.Name))+`:`+string(entry)+`}`), step, 1)
	} else if inner, ok := servers.Value.(*hujson.Object); ok {
		err = f.put(inner, e.Name, entry, step, replace)
	} else {
		err = fmt.Errorf("%q in the file is not an object", f.member)
	}
	if err == nil && f.inputs {
		err = addInputs(root, e, step)
	}
	if err != nil {
		return nil, err
	}
	return file.Pack(), nil
}

// put adds an entry to the servers in a file.
func (f jsonFormat) put(servers *hujson.Object, name string, entry []byte, step string, replace bool) error {
	present := member(servers, name)
	if present == nil {
		return add(servers, name, entry, step, 2)
	}
	var want map[string]any
	if err := json.Unmarshal(entry, &want); err != nil {
		return fmt.Errorf("formatting the entry: %w", err)
	}
	object, ok := present.Value.(*hujson.Object)
	if !ok && replace {
		return add(servers, name, entry, step, 2)
	}
	path, changes := f.member, []change{{name: name, have: decodeValue(*present), want: want, value: want}}
	if have, _ := decodeValue(*present).(map[string]any); ok {
		path, changes = f.member+"."+name, compare(have, want, f.fields())
	}
	if len(changes) > 0 && !replace {
		c := new(Conflict)
		c.add(string(rawjson.Quote(name)), path, changes, printJSON)
		return c
	}
	for _, c := range changes {
		if err := set(object, c, step); err != nil {
			return err
		}
	}
	return nil
}

func set(entry *hujson.Object, c change, step string) error {
	if c.value == nil {
		remove(entry, c.name)
		return nil
	}
	want, isObject := c.want.(map[string]any)
	if present := member(entry, c.name); isObject && present != nil {
		if inner, ok := present.Value.(*hujson.Object); ok {
			for _, name := range slices.Sorted(maps.Keys(want)) {
				if err := add(inner, name, encodeValue(want[name]), step, 4); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return add(entry, c.name, encodeValue(c.value), step, 3)
}

// addInputs declares the environment variables that contain secrets and that VS Code asks for, unless they are
// already declared.
func addInputs(root *hujson.Object, e Entry, step string) error {
	for _, v := range e.variables() {
		for _, name := range secret.Names(v.value) {
			if !e.isSecret(v.name, name) {
				continue
			}
			if err := addInput(root, name, name+" for "+e.Name, step); err != nil {
				return err
			}
		}
	}
	return nil
}

func addInput(root *hujson.Object, name, description, step string) error {
	var input object
	input.put("type", "promptString")
	input.put("id", name)
	input.put("description", description)
	input.put("password", true)
	list := member(root, "inputs")
	if list == nil {
		return add(root, "inputs", []byte("["+string(input.bytes())+"]"), step, 1)
	}
	array, ok := list.Value.(*hujson.Array)
	if !ok {
		return errors.New(`"inputs" in the file is not a list`)
	}
	if slices.ContainsFunc(array.Elements, func(v hujson.Value) bool {
		m, _ := decodeValue(v).(map[string]any)
		return m["id"] == name
	}) {
		return nil
	}
	return push(array, input.bytes(), step, 2)
}

// An object is a JSON object whose members keep their insertion order.
type object []rawjson.Member

func (o *object) put(name string, value any) {
	*o = append(*o, rawjson.Member{Name: name, Value: encodeValue(value)})
}

func (o object) bytes() json.RawMessage { return json.RawMessage(rawjson.Object(o)) }
