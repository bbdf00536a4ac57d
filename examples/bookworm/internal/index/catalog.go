package index

import (
	"errors"
	"strconv"
	"strings"

	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

// An entry is what a search knows about an item without reading it.
type entry struct {
	kind  rustdoc.Kind
	trait string // that the item comes from, if it does
	group int    // items of one group are the same item at different paths; 0 is no group
	path  string
}

// catalog collects entries while an index is built.
type catalog struct {
	lines  strings.Builder
	groups map[string]int
	len    int
}

// add writes the entry of an item and returns its id.
func (c *catalog) add(it rustdoc.Item) int {
	for i, field := range [...]string{string(it.Kind), it.Trait, strconv.Itoa(c.group(it)), it.Path} {
		if i > 0 {
			c.lines.WriteByte('\t')
		}
		c.lines.WriteString(field)
	}
	c.lines.WriteByte('\n')
	c.len++
	return c.len
}

// group returns the number that an item shares with the same item at other paths, which a
// re-export makes: they have one declaration at one place of the source. A macro may make several items
// at one place, so their names count, too, and those of the types that they are members of.
func (c *catalog) group(it rustdoc.Item) int {
	if it.Source == "" {
		return 0
	}
	name := last(it.Path)
	if it.Kind.IsMember() {
		name = lastTwo(it.Path)
	}
	key := strings.Join([]string{string(it.Kind), name, it.Trait, it.Source, it.Lines, it.Declaration}, "\x00")
	if c.groups == nil {
		c.groups = map[string]int{}
	}
	if _, known := c.groups[key]; !known {
		c.groups[key] = len(c.groups) + 1
	}
	return c.groups[key]
}

// readCatalog reads what [catalog.add] wrote.
func readCatalog(lines string) ([]entry, error) {
	entries := make([]entry, 0, strings.Count(lines, "\n"))
	for line := range strings.Lines(lines) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		trait, rest, _ := strings.Cut(rest, "\t")
		group, path, ok := strings.Cut(rest, "\t")
		n, err := strconv.Atoi(group)
		if !ok || err != nil || n < 0 || n > cap(entries) {
			return nil, errors.New("the catalog is damaged")
		}
		entries = append(entries, entry{rustdoc.Kind(kind), trait, n, path})
	}
	return entries, nil
}

// last returns the name at the end of a path.
func last(path string) string {
	if i := strings.LastIndex(path, "::"); i >= 0 {
		return path[i+2:]
	}
	return path
}

// lastTwo returns the last two names of a path, such as Value::pointer.
func lastTwo(path string) string {
	if i := strings.LastIndex(path, "::"); i >= 0 {
		return path[len(path)-len(last(path[:i]))-len(path[i:]):]
	}
	return path
}
