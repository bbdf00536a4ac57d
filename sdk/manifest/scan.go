package manifest

import (
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// A scanner reads a contract in one pass and without reflection, since a server reads
// its own at every start. It understands what [Server.Write] writes, with any blanks;
// whatever else it meets it leaves, as bad, to those who can say what is wrong with it.
type scanner struct {
	text string
	at   int
	bad  bool

	out     []byte // memory that several schemas share
	scratch []byte
}

// scan returns the contract that text holds, unless that is bad.
func scan(text string) (_ *Server, ok bool) {
	s := &scanner{text: text}
	c := new(Server)
	s.server(c)
	s.blanks()
	return c, !s.bad && s.at == len(text) && utf8.ValidString(text)
}

// A field is a member by its name, and where its value goes.
type field struct {
	name string
	to   any
}

func (s *scanner) server(c *Server) {
	s.object(
		field{"format", &c.Format}, field{"name", &c.Name}, field{"description", &c.Description},
		field{"clients", (*string)(&c.Clients)}, field{"unknown", (*string)(&c.Unknown)}, field{"envelope", &c.Envelope},
		field{"hash", &c.Hash}, field{"codes", &c.Codes}, field{"tools", &c.Tools})
}

func (s *scanner) tool(t *Tool) {
	s.object(
		field{"name", &t.Name}, field{"title", &t.Title}, field{"description", &t.Description}, field{"version", &t.Version},
		field{"aliases", &t.Aliases}, field{"annotations", &t.Annotations}, field{"mutates", &t.Mutates}, field{"files", &t.Files},
		field{"input", &t.Input}, field{"output", &t.Output}, field{"questions", &t.Questions},
		field{"options", &t.Options}, field{"fails", &t.Fails})
}

func (s *scanner) question(q *Question) {
	s.object(
		field{"id", &q.ID}, field{"kind", &q.Kind}, field{"description", &q.Description}, field{"exclusive", &q.Exclusive},
		field{"answers", &q.Answers}, field{"default", &q.Default}, field{"schema", &q.Schema})
}

// read reads a value to where it goes.
func (s *scanner) read(to any) {
	switch to := to.(type) {
	case *string:
		*to = s.string()
	case *bool:
		*to = s.bool()
	case **bool:
		yes := s.bool()
		*to = &yes
	case *int:
		*to = s.number()
	case *jsontext.Value:
		*to = s.value()
	case *[]string:
		list(s, to, func(v *string) { *v = s.string() })
	case *[]Tool:
		list(s, to, s.tool)
	case *[]Question:
		list(s, to, s.question)
	case *[]Value:
		list(s, to, func(v *Value) { s.object(field{"value", &v.Value}, field{"description", &v.Description}) })
	case *[]Code:
		list(s, to, func(c *Code) { s.object(field{"name", &c.Name}, field{"description", &c.Description}) })
	case *[]Alias:
		list(s, to, func(a *Alias) { s.object(field{"name", &a.Name}, field{"until", &a.Until}) })
	case *Hash:
		s.object(field{"contract", &to.Contract}, field{"full", &to.Full})
	case *Annotations:
		s.object(field{"read_only", &to.ReadOnly}, field{"destructive", &to.Destructive},
			field{"idempotent", &to.Idempotent}, field{"open_world", &to.OpenWorld})
	}
}

// object reads an object that has no other members than fields.
func (s *scanner) object(fields ...field) {
	s.sequence('{', '}', func() {
		name := s.string()
		s.take(':')
		for _, f := range fields {
			if f.name == name {
				s.read(f.to)
				return
			}
		}
		s.fail()
	})
}

// list reads an array; item reads one of its values.
func list[T any](s *scanner, to *[]T, item func(*T)) {
	*to = []T{}
	s.sequence('[', ']', func() {
		if len(*to) == cap(*to) {
			*to = slices.Grow(*to, max(4, len(*to)))
		}
		*to = (*to)[:len(*to)+1]
		item(&(*to)[len(*to)-1])
	})
}

// sequence reads what stands between open and end, with commas between.
func (s *scanner) sequence(open, end byte, item func()) {
	s.take(open)
	if s.next() == end {
		s.at++
		return
	}
	for !s.bad {
		item()
		if s.next() == end {
			s.at++
			return
		}
		s.take(',')
	}
}
