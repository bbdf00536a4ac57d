package shape

// maxPath is the maximum length of the path of an object whose properties become rows, because each of these
// rows repeats the path.
const maxPath = 1000

// A Row is a property of an object or of a nested object.
type Row struct {
	*Property
	// Path is the path of the property, such as "lines", "filter.after" or "edits[].text".
	Path string
	// Depth is the nesting depth. It is 0 for the properties of the outermost object.
	Depth int
}

// Rows returns the properties of an object in order, each followed by its nested properties. Objects at a path
// of more than 1,000 bytes are left out.
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
