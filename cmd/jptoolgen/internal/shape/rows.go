package shape

// maxPath bounds the names of the objects that a row lies in, which the path of each row in them repeats.
const maxPath = 1000

// A Row is a property of an object, or of the objects in it.
type Row struct {
	*Property
	// Path names the property and those it lies in: "lines", "filter.after", "edits[].text".
	Path string
	// Depth is 0 for the properties of the outermost object.
	Depth int
}

// Rows returns the properties of an object in their order, each followed by its own. What lies behind a path of more
// than 1,000 bytes is left out.
func (s *Schema) Rows() []Row { return s.rows(nil, "", 0) }

func (s *Schema) rows(all []Row, prefix string, depth int) []Row {
	if len(prefix) > maxPath {
		return all
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		all = append(all, Row{p, prefix + p.Name, depth})
		inner, path := &p.Schema, prefix+p.Name
		for inner.Items != nil {
			inner, path = inner.Items, path+"[]"
		}
		all = inner.rows(all, path+".", depth+1)
	}
	return all
}
