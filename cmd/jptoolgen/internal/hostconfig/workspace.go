package hostconfig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jptool/jptool/internal/rawjson"
)

// jpFiles are the names of JP's configuration file. JP reads only the first one that exists.
var jpFiles = []string{"config.toml", "config.json", "config.json5", "config.yaml", "config.yml"}

// A Workspace is a directory in which JP keeps its configuration and conversations.
type Workspace struct {
	// Root is the directory that contains .jp.
	Root string
	// Exists is set if Root has the directory .jp.
	Exists bool
	// File is the configuration file that JP reads, or the one to create.
	File string
}

// FindWorkspace returns the workspace of a directory: like JP, it takes the nearest directory .jp in the directory or
// above it. If there is none, it returns the workspace that would be created. A directory that does not exist yet is
// permitted.
func FindWorkspace(dir string) Workspace {
	dir = physical(dir)
	for at := dir; ; at = filepath.Dir(at) {
		if info, err := os.Stat(filepath.Join(at, ".jp")); err == nil && info.IsDir() {
			return Workspace{Root: at, Exists: true, File: configFile(filepath.Join(at, ".jp"))}
		}
		if at == filepath.Dir(at) {
			return Workspace{Root: dir, File: filepath.Join(dir, ".jp", jpFiles[0])}
		}
	}
}

// physical returns the path of a directory without symbolic links, because JP looks above the directory that the system
// reports. The last elements of the path need not exist.
func physical(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	if up := filepath.Dir(dir); up != dir {
		return filepath.Join(physical(up), filepath.Base(dir))
	}
	return dir
}

func configFile(dir string) string {
	for _, name := range jpFiles {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return filepath.Join(dir, name)
		}
	}
	return filepath.Join(dir, jpFiles[0])
}

// IsTOML reports whether the configuration file is one that this package can change.
func (w Workspace) IsTOML() bool { return filepath.Ext(w.File) == ".toml" }

// Translate returns a TOML file in the format of the workspace's configuration file, without comments.
func (w Workspace) Translate(text []byte) ([]byte, error) {
	file, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(filepath.Ext(w.File), ".json") {
		out, err := json.MarshalIndent(file, "", "  ")
		return append(out, '\n'), err
	}
	var b bytes.Buffer
	err = writeYAML(&b, "", file)
	return b.Bytes(), err
}

// writeYAML writes a table as YAML. Keys, values and lists have the syntax of JSON, which YAML accepts.
func writeYAML(b *bytes.Buffer, indent string, table map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		fmt.Fprintf(b, "%s%s:", indent, rawjson.Quote(name))
		if inner, ok := table[name].(map[string]any); ok && len(inner) > 0 {
			b.WriteByte('\n')
			if err := writeYAML(b, indent+"  ", inner); err != nil {
				return err
			}
			continue
		}
		value, err := json.Marshal(table[name])
		if err != nil {
			return err
		}
		fmt.Fprintf(b, " %s\n", value)
	}
	return nil
}

// AddTables adds the table of the only tool in a TOML file for JP to another file. It returns a [Conflict] if the other
// file has a table with this name and different values.
func AddTables(old, text []byte) ([]byte, error) {
	want, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	var tables []table
	for name := range toolTables(want) {
		path := []string{"conversation", "tools", name}
		start := bytes.Index(text, []byte("["+keys(path)+"]"))
		if start < 0 {
			return nil, fmt.Errorf("[%s] has no separate header", keys(path))
		}
		tables = append(tables, table{path: path, text: text[start:], fields: []field{
			{name: "source"}, {name: "command"}, {name: "parameters", merge: keepWords},
		}})
	}
	return keepForm(old, func(text []byte) ([]byte, error) {
		have, _ := parseTOML(text) // addTables reports a file that cannot be parsed
		if err := checkAnyTool(have); err != nil {
			return nil, err
		}
		return addTables(text, append([]table{anyTool}, tables...), false)
	})
}
