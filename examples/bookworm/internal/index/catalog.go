package index

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

// An entry is what a search knows about an item without reading it.
type entry struct {
	row   int // of the table of items
	kind  rustdoc.Kind
	trait string // that the item comes from, if it does
	group int    // items of one group are the same item at different paths; 0 is no group
	path  string
}

// catalog collects entries while an index is built.
type catalog struct {
	entries []entry
	groups  map[string]int
}

// add adds the entry of an item and returns the row that the item goes to.
func (c *catalog) add(it rustdoc.Item) int {
	row := len(c.entries) + 1
	c.entries = append(c.entries, entry{row, it.Kind, it.Trait, c.group(it), it.Path})
	return row
}

// String writes the catalog, one line an entry. They are in the order in which a search returns
// what is alike to it otherwise: the shorter path first, then by the path. So searches need to
// sort by numbers alone.
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

// plain keeps names apart from the marks between them. Names in Rust hold neither, but those of files
// and ids in an archive may.
func plain(name string) string {
	if strings.ContainsAny(name, "\t\n") {
		return strings.Join(strings.Fields(name), " ")
	}
	return name
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

// readCatalog reads what [catalog.String] wrote.
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
