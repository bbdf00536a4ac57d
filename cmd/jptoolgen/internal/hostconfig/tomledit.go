package hostconfig

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// A statement is a header, or a key with its value, in a text of TOML.
type statement struct {
	text   []byte // whole lines; for what is neither, blank lines and remarks
	header bool
	path   []string // from the root; nil for what is neither
	braces bool     // the value is an inline table
}

// statements returns the statements of a text in their order. Together they are the text.
func statements(text []byte) []statement {
	var all []statement
	var header []string
	var open []byte // a value that goes on
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimSpace(line)
		switch {
		case open == nil && (len(trimmed) == 0 || trimmed[0] == '#'):
			all = append(all, statement{text: line})
		case open == nil && trimmed[0] == '[':
			header = keyOf(string(trimmed))
			all = append(all, statement{text: line, header: true, path: header})
		default:
			open = slices.Concat(open, line)
			if _, err := decode(open); err != nil {
				continue
			}
			name, value, _ := strings.Cut(string(open), "=")
			all = append(all, statement{
				text: open, path: slices.Concat(header, keyOf(name+"= 0")), braces: strings.HasPrefix(strings.TrimSpace(value), "{"),
			})
			open = nil
		}
	}
	if open != nil {
		all = append(all, statement{text: open})
	}
	return all
}

// closed reports whether a table above path is an inline one, which TOML lets nobody add to
// (v1.0.0, Inline Table). The package that reads TOML here does not mind, hosts do.
func closed(text []byte, path []string) bool {
	return slices.ContainsFunc(statements(text), func(s statement) bool {
		return s.braces && len(s.path) < len(path) && slices.Equal(s.path, path[:len(s.path)])
	})
}

// keyOf returns the key that a line of TOML is about, nil if it is about none.
func keyOf(line string) []string {
	md, err := toml.Decode(line, new(map[string]any))
	if all := md.Keys(); err == nil && len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// rewrite makes changes to a table that has a header of its own. Everything else stays as it is.
func rewrite(text []byte, path []string, changes []change) ([]byte, error) {
	if len(changes) == 0 {
		return text, nil
	}
	below := func(s statement, c change) bool {
		full := slices.Concat(path, []string{c.name})
		return len(s.path) >= len(full) && slices.Equal(s.path[:len(full)], full)
	}
	var b bytes.Buffer
	found := false
	for _, s := range statements(text) {
		if slices.ContainsFunc(changes, func(c change) bool { return below(s, c) }) {
			continue
		}
		b.Write(s.text)
		if !s.header || !slices.Equal(s.path, path) {
			continue
		}
		found = true
		end := "\n"
		if bytes.HasSuffix(s.text, []byte("\r\n")) {
			end = "\r\n"
		} else if !bytes.HasSuffix(s.text, []byte(end)) {
			b.WriteString(end)
		}
		for _, c := range changes {
			if line, ok := value(c.value); ok {
				fmt.Fprintf(&b, "%s = %s%s", key(c.name), line, end)
			}
		}
	}
	if _, err := decode(b.Bytes()); err != nil || !found {
		return nil, fmt.Errorf("[%s] has no lines of its own in the file: change it by hand", keys(path))
	}
	return b.Bytes(), nil
}
