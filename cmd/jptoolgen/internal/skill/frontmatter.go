package skill

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/rawjson"
)

// maxNesting is the maximum depth of the front matter.
const maxNesting = 32

type place struct{ line, column int }

// A matter is the front matter of a skill.
type matter struct {
	json   []byte
	texts  map[string]string // the fields that are strings
	places map[string]place  // of the values
	begin  place
}

// text returns the value of a field that is a string, or "", and its place.
func (m *matter) text(name string) (string, place) {
	at, ok := m.places[name]
	if !ok {
		at = m.begin
	}
	return m.texts[name], at
}

// has reports whether the front matter has a field.
func (m *matter) has(name string) bool {
	_, ok := m.places[name]
	return ok
}

// frontMatter reads the front matter at the beginning of a file. The error is a *fieldError.
func frontMatter(data string) (*matter, error) {
	const fence = "---"
	lines := strings.SplitAfter(data, "\n")
	if strings.TrimRight(lines[0], "\r\n") != fence {
		return nil, &fieldError{1, 1, "the file does not begin with front matter", "write --- on the first line, name: and description:, and --- again"}
	}
	end := slices.IndexFunc(lines[1:], func(line string) bool { return strings.TrimRight(line, " \t\r\n") == fence })
	if end < 0 {
		return nil, &fieldError{1, 1, "the front matter does not end", "write --- on a line below its last field"}
	}
	var doc yaml.Node
	in := yaml.NewDecoder(strings.NewReader(strings.Join(lines[1:1+end], "")))
	if err := in.Decode(&doc); err != nil && err != io.EOF {
		return nil, syntaxError(err)
	}
	if err := in.Decode(new(yaml.Node)); err != io.EOF {
		return nil, &fieldError{2, 1, "the front matter is not valid YAML: it has several documents", "delete the lines with ..."}
	}
	m := &matter{texts: map[string]string{}, places: map[string]place{}, begin: place{1, 1}}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, &fieldError{2, 1, "the front matter is not a list of fields", "write name: and description:"}
	}
	root := doc.Content[0]
	var err error
	if m.json, err = object(root, 0); err != nil {
		return nil, err
	}
	for i := 0; i < len(root.Content); i += 2 {
		key, value := root.Content[i].Value, root.Content[i+1]
		m.places[key] = place{value.Line + 1, value.Column}
		if value.Kind == yaml.ScalarNode && value.Tag == "!!str" {
			m.texts[key] = value.Value
		}
	}
	return m, nil
}

var yamlLine = lazyregexp.New(`line (\d+): `)

// syntaxError returns the error of the YAML reader with its place in the file.
func syntaxError(err error) error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if found := yamlLine().FindStringSubmatch(message); found != nil {
		line, _ = strconv.Atoi(found[1])
		message = strings.Replace(message, found[0], "", 1)
	}
	return &fieldError{line + 1, 1, "the front matter is not valid YAML: " + message, "put text with : or # in quotes"}
}

// refuse returns an error about a value.
func refuse(n *yaml.Node, hint, format string, args ...any) error {
	return &fieldError{n.Line + 1, n.Column, fmt.Sprintf(format, args...), hint}
}

// value returns a value as JSON. It refuses what readers of YAML understand in different ways, because a host compares
// the JSON with what its own reader returns (Skills, Frontmatter Verification).
func value(n *yaml.Node, depth int) ([]byte, error) {
	switch {
	case depth > maxNesting:
		return nil, refuse(n, "make it flat", "the front matter has more than %d levels", maxNesting)
	case n.Anchor != "" || n.Kind == yaml.AliasNode:
		return nil, refuse(n, "repeat the value", "anchors and aliases are not supported in the front matter")
	case n.Style&yaml.TaggedStyle != 0:
		return nil, refuse(n, "delete the tag", "tags such as %s are not supported in the front matter", n.Tag)
	}
	switch n.Kind {
	case yaml.MappingNode:
		return object(n, depth)
	case yaml.SequenceNode:
		items := []rawjson.Member{}
		for _, item := range n.Content {
			text, err := value(item, depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, rawjson.Member{Value: text})
		}
		return rawjson.Array(items), nil
	case yaml.ScalarNode:
		return scalar(n)
	}
	return nil, refuse(n, "delete it", "the value is not supported in the front matter")
}

func object(n *yaml.Node, depth int) ([]byte, error) {
	members, seen := []rawjson.Member{}, map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode || key.Value == "<<" || key.Style == 0 && unclear(key.Value) || key.Tag != "!!str":
			return nil, refuse(key, "put the name in quotes", "the name of the field is not plain text")
		case seen[key.Value]:
			return nil, refuse(key, "delete one", "the front matter has %s twice", key.Value)
		}
		seen[key.Value] = true
		text, err := value(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		members = append(members, rawjson.Member{Name: key.Value, Value: text})
	}
	return rawjson.Object(members), nil
}

// number matches the numbers that every reader of YAML understands alike, and that JSON has.
var number = lazyregexp.New(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// disputed matches text without quotes that a reader of YAML 1.1 or 1.2 may take for another type.
var disputed = lazyregexp.New(`^([yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|True|TRUE|False|FALSE|Null|NULL|` +
	`[-+]?[0-9][0-9_,.:]*([eE][-+]?[0-9]+)?|[-+]?\.[0-9_]+([eE][-+]?[0-9]+)?|[-+]?0[xob][0-9a-fA-F_]+|` +
	`[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*|=)$`)

// unclear reports whether readers of YAML understand text without quotes in different ways.
func unclear(text string) bool { return disputed().MatchString(text) && !number().MatchString(text) }

func scalar(n *yaml.Node) ([]byte, error) {
	switch {
	case n.Style != 0: // in quotes, or a block
		return rawjson.Quote(n.Value), nil
	case unclear(n.Value):
		return nil, refuse(n, "put it in quotes", "readers of YAML understand %s in different ways", n.Value)
	case n.Tag == "!!null":
		return []byte("null"), nil
	case n.Tag == "!!bool", (n.Tag == "!!int" || n.Tag == "!!float") && number().MatchString(n.Value) && len(n.Value) <= 15:
		return []byte(n.Value), nil
	case n.Tag == "!!str":
		return rawjson.Quote(n.Value), nil
	}
	return nil, refuse(n, "put it in quotes", "readers of YAML understand %s in different ways", n.Value)
}
