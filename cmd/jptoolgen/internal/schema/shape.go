// Package schema derives JSON Schema from Go types.
//
// An [Analyzer] turns a Go type into a [Shape], which describes its JSON encoding. Schema, decoder and encoder
// are generated from the same shape, so they always agree. Shapes follow encoding/json except where documented.
package schema

import (
	"go/constant"
	"go/types"
)

// A Kind is a JSON representation of a Go type.
type Kind int

// The kinds of shapes.
const (
	Bool     Kind = iota + 1
	String        // a string
	Int           // a signed integer
	Uint          // an unsigned integer
	Float         // a number
	Bytes         // []byte: a base64 string
	Time          // time.Time: an RFC 3339 string
	Duration      // time.Duration: a string such as "1h30m", unlike encoding/json
	Enum          // the declared constants of a string type
	IntEnum       // the declared constants of an integer type
	Text          // a type with MarshalText: a string
	JSON          // a type with MarshalJSON, described by //jp:schema
	Raw           // json.RawMessage: any value
	Any           // any: any value
	List          // a slice
	Array         // a list of fixed length
	Map           // an object with arbitrary member names
	Struct        // an object
	Pointer       // an optional value
	Nullable      // a tool.Nullable: a value or null
	Sum           // a sealed interface: one of several objects
	Flags         // a set of flags: a list of their names
	Std           // a type of another module that package encoding/json encodes: as a //jp:foreign line says, or any value
)

// A Direction is the direction of a value.
type Direction int

// The directions of values.
const (
	In  Direction = iota // arguments and options
	Out                  // results
)

// A Shape describes the JSON encoding of a Go type.
type Shape struct {
	Kind Kind
	// Type is the Go type as the author wrote it.
	Type types.Type
	// Elem is the shape of the elements of a list, array or map, or of the value that a pointer points to.
	Elem *Shape
	// Key is the kind of the keys of a map.
	Key Key
	// Len is the length of an array.
	Len int64
	// Object has the fields of a struct.
	Object *Object
	// Cases are the structs that implement an interface.
	Cases []Case
	// Values are the constants of an enum, of an open set, or of flags.
	Values []Value
	// Set says which values besides the constants the type has.
	Set Set
	// Custom describes a type with a custom encoding. If it is nil, the type is encoded as a string without
	// constraints.
	Custom *Custom
	// As is the shape whose schema a Std type has. If As and Custom are nil, the type is any value.
	As *Shape
	// Quoted is set if the tag of the field says that a number or boolean is in a string, in both directions.
	Quoted bool
	// Present is set if a pointer in a list or map is never null.
	Present bool
	// Exact is set if an integer may exceed the range in which floats are exact. In results, it is written as a
	// string. In arguments, the schema has that range, and a string can exceed it.
	Exact bool
}

// AsString reports whether a number or boolean is written as a string.
func (s *Shape) AsString(d Direction) bool { return s.Quoted || s.Exact && d == Out }

// A Case is a struct that implements an interface.
type Case struct {
	Shape       *Shape
	Description string
	// Member distinguishes the case by its value, or by its presence if Value is "".
	Member, Value string
}

// A Key is the kind of the keys of a map.
type Key int

// The kinds of map keys.
const (
	StringKey Key = iota + 1
	IntKey
	UintKey
	TextKey
)

// A Value is a constant of an enum.
type Value struct {
	// Const is nil if generated code must not refer to the constant. Label is its name, and Value its value.
	Const *types.Const
	Label string
	Value constant.Value
	// Text is the value as JSON, and Name is the value as descriptions write it.
	Text, Name  string
	Description string
}

// A Custom describes a type with a custom JSON encoding. It comes from the //jp:schema line of the type.
type Custom struct {
	Type, Items, Format, Pattern string
	// Secret is set if values must not be shown.
	Secret bool
}

// Secret reports whether values of s must not be shown.
func (s *Shape) Secret() bool { return s.Custom != nil && s.Custom.Secret }

// An Object has the fields of a struct.
type Object struct {
	// Type is the struct: a named type or a literal.
	Type types.Type
	// Name identifies the object in names of functions. It is the name of the type, or for a struct literal, a
	// name for the location where it is used.
	Name string
	// Members has the order that encoding/json uses.
	Members []Member
	// Cut is set if a required field was left out because it is nested too deeply. No value has the shape of
	// such an object.
	Cut bool
	// broken is set if a field was left out because generated code cannot refer to it.
	broken bool
	// Embeds holds the embedded structs with promoted fields, except for structs behind pointers.
	Embeds []types.Type
}

// A Member is a field, or an embedded pointer with its fields.
type Member struct {
	// Path is the selector from the struct: Title, or Base.Title. If Go has no selector for the member, Path is ""
	// and Hidden holds the names of the fields on the path.
	Path   string
	Hidden []string
	// Field is nil for an embedded pointer.
	Field *Field
	// Embedded is the struct behind an embedded pointer, or nil for a field.
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

// An Omit defines when a field is omitted from a result.
type Omit int

// The conditions under which a field is omitted.
const (
	Never Omit = iota
	WhenEmpty
	WhenZero
	WhenNil // a pointer that would otherwise be null
)

// Fields returns all fields of o, including fields behind embedded pointers.
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

// Open reports whether s stands for any value.
func (s *Shape) Open() bool {
	return s.Kind == Any || s.Kind == Raw || s.Kind == Std && s.Custom == nil && s.As == nil
}

// Base returns the shape without the pointers and [Nullable] around it.
func (s *Shape) Base() *Shape {
	for s.Kind == Pointer || s.Kind == Nullable {
		s = s.Elem
	}
	return s
}

// Scalar reports whether s is a scalar: not a list, object or any.
func (s *Shape) Scalar() bool {
	b := s.Base()
	switch b.Kind {
	case List, Array, Map, Struct, Sum, Raw, Any, Flags:
		return false
	case JSON:
		return b.Custom.Type != "array"
	case Std:
		return b.Custom != nil && b.Custom.Type != "array"
	}
	return true
}

// Flat reports whether s is a scalar or a list of scalars.
func (s *Shape) Flat() bool {
	b := s.Base()
	switch b.Kind {
	case List, Array:
		return b.Elem.Scalar()
	case JSON, Flags:
		return true
	case Std:
		return b.Custom != nil
	}
	return b.Scalar()
}
