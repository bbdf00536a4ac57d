package index

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

// An entry contains the fields of an item that a search needs to match and rank it.
type entry struct {
	row   int // the row in the table of items
	kind  rustdoc.Kind
	trait string // the trait that declares the item, if any
	group int    // items of the same group are one item at different paths; 0 means no group
	path  string
}

// catalog collects the entries of an index while it is built.
type catalog struct {
	entries []entry
	groups  map[string]int
}

// add adds the entry of an item and returns the row of the item.
func (c *catalog) add(it rustdoc.Item) int {
	row := len(c.entries) + 1
	c.entries = append(c.entries, entry{row, it.Kind, it.Trait, c.group(it), it.Path})
	return row
}

// String encodes the catalog with one entry per line, in the order in which a search returns entries of equal
// rank: shorter paths first, then sorted by path. A search therefore only needs to sort by numbers.
func (c *catalog) String() string {
	slices.SortFunc(c.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(len(a.path), len(b.path)), strings.Compare(a.path, b.path),
			strings.Compare(string(a.kind), string(b.kind)), strings.Compare(a.trait, b.trait), cmp.Compare(a.row, b.row))
	})
	var b strings.Builder
	for _, e := range c.entries {
		b.WriteString(strconv.Itoa(e.row) + "\t" + plain(string(e.kind)) + "\t" + plain(e.trait) + "\t" + strconv.Itoa(e.group) + "\t" + plain(e.path) + "\n")
	}
	return b.String()
}

// plain removes tabs and line breaks from a name, because they separate the fields of the catalog. Names in Rust
// cannot contain them, but the names of files and ids in an archive can.
func plain(name string) string {
	if strings.ContainsAny(name, "\t\n") {
		return strings.Join(strings.Fields(name), " ")
	}
	return name
}

// group returns a number for an item. The same item at other paths, which are re-exports, has the same number.
// Such items have the same declaration at the same position in the source. A macro can declare several items at
// one position, so their names are compared as well, and for members, the names of their types.
func (c *catalog) group(it rustdoc.Item) int {
	if it.Source == "" {
		return 0
	}
	name := lastName(it.Path)
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

// readCatalog parses the output of [catalog.String].
func readCatalog(lines string) ([]entry, error) {
	entries := make([]entry, 0, strings.Count(lines, "\n"))
	for line := range strings.Lines(lines) {
		row, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		kind, rest, _ := strings.Cut(rest, "\t")
		trait, rest, _ := strings.Cut(rest, "\t")
		group, path, ok := strings.Cut(rest, "\t")
		r, err := strconv.Atoi(row)
		g, err2 := strconv.Atoi(group)
		if !ok || err != nil || err2 != nil || g < 0 || g > cap(entries) {
			return nil, errors.New("the catalog is damaged")
		}
		entries = append(entries, entry{r, rustdoc.Kind(kind), trait, g, path})
	}
	return entries, nil
}

// lastName returns the last name of a path.
func lastName(path string) string {
	if i := strings.LastIndex(path, "::"); i >= 0 {
		return path[i+2:]
	}
	return path
}

// lastTwo returns the last two names of a path, such as Value::pointer.
func lastTwo(path string) string {
	if i := strings.LastIndex(path, "::"); i >= 0 {
		return path[len(path)-len(lastName(path[:i]))-len(path[i:]):]
	}
	return path
}
