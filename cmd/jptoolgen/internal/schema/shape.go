// Package schema is Go types as JSON Schema.
//
// An [Analyzer] turns a Go type into a [Shape]: what the type looks like in JSON,
// and at the same time how it is decoded and encoded. Schema, decoder and encoder
// are made from the one shape, and so agree. Shapes follow encoding/json, except
// where the package says otherwise.
package schema

import (
	"go/types"
)

// A Kind is a way for a Go type to meet JSON.
type Kind int

// The kinds.
const (
	Bool     Kind = iota + 1
	String        // a string
	Int           // a signed integer
	Uint          // an unsigned integer
	Float         // a number
	Bytes         // []byte: a string in base64
	Time          // time.Time: a string in the format of RFC 3339
	Duration      // time.Duration: a string such as "1h30m", unlike encoding/json
	Enum          // the declared constants of a string type
	IntEnum       // the declared constants of an integer type
	Text          // a type with text of its own: a string
	JSON          // a type with JSON of its own, as //jp:schema describes it
	Raw           // json.RawMessage: any value
	Any           // any: any value
	List          // a slice
	Array         // a list of fixed length
	Map           // an object of any names
	Struct        // an object
	Pointer       // a value that may be absent
)

// A Direction is a way across the wire.
type Direction int

// The directions.
const (
	In  Direction = iota // arguments and options
	Out                  // results
)

// A Shape is what a Go type looks like in JSON.
type Shape struct {
	Kind Kind
	// Type is the Go type as the author wrote it.
	Type types.Type
	// Elem is that of the elements of a list, an array or a map, or behind a pointer.
	Elem *Shape
	// Key says how the names of a map become its keys.
	Key Key
	// Len is the length of an array.
	Len int64
	// Object is the fields of a struct.
	Object *Object
	// Values are the constants of an enum.
	Values []Value
	// Custom describes a type with JSON or text of its own; nil is a plain string.
	Custom *Custom
	// Exact says that an integer may exceed what a float holds, and so travels as a
	// string in results.
	Exact bool
}

// A Key is a kind of map keys.
type Key int

// The kinds of keys.
const (
	StringKey Key = iota + 1
	IntKey
	UintKey
	TextKey
)

// A Value is a constant of an enum.
type Value struct {
	Const *types.Const
	// Text is the value as JSON, Name as it stands in descriptions.
	Text, Name  string
	Description string
}

// A Custom says how a type with JSON of its own looks, by its //jp:schema.
type Custom struct {
	Type, Items, Format, Pattern string
}

// An Object is the fields of a struct.
type Object struct {
	// Type is the struct: a named type or a literal one.
	Type types.Type
	// Name is unique enough to call functions by: the name of the type, or for a
	// literal one that of where it stands.
	Name string
	// Members are in the order of encoding/json.
	Members []Member
	// Embeds are the structs whose fields are promoted, without those behind pointers.
	Embeds []types.Type
}

// A Member is a field, or the fields behind an embedded pointer.
type Member struct {
	// Path selects it from the struct: Title, or Base.Title.
	Path string
	// Field is nil for an embedded pointer.
	Field *Field
	// Embedded is the struct behind an embedded pointer; nil for a field.
	Embedded *Object
}

// A Field is a member of a JSON object.
type Field struct {
	Name        string
	Description string
	Var         *types.Var
	Shape       *Shape
	Required    bool
	Omit        Omit
	Constraints Constraints
}

// An Omit says when a field is left out of a result.
type Omit int

// The cases.
const (
	Never Omit = iota
	WhenEmpty
	WhenZero
	WhenNil // a pointer, which would else be null
)

// Fields returns all fields of o, those behind embedded pointers too.
func (o *Object) Fields() []*Field {
	var all []*Field
	for _, m := range o.Members {
		if m.Field != nil {
			all = append(all, m.Field)
		} else {
			all = append(all, m.Embedded.Fields()...)
		}
	}
	return all
}

// Base returns the shape behind pointers.
func (s *Shape) Base() *Shape {
	for s.Kind == Pointer {
		s = s.Elem
	}
	return s
}

// Scalar reports whether s is one value: no list, object or anything.
func (s *Shape) Scalar() bool {
	b := s.Base()
	switch b.Kind {
	case List, Array, Map, Struct, Raw, Any:
		return false
	case JSON:
		return b.Custom.Type != "array"
	}
	return true
}

// Flat reports whether s is a scalar or a list of scalars, which is all that a JP
// host keeps of a parameter.
func (s *Shape) Flat() bool {
	b := s.Base()
	switch b.Kind {
	case List, Array:
		return b.Elem.Scalar()
	case JSON:
		return true
	}
	return b.Scalar()
}
