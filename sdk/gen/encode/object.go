package encode

import "github.com/go-json-experiment/json/jsontext"

// An Object writes the members of a JSON object in the order of the calls.
type Object Writer

// Field writes a member. Names are the caller's to keep distinct.
func Field[T any](o *Object, name string, v *T, f Func[T]) {
	w := (*Writer)(o)
	w.member(name)
	n := len(w.problems)
	f(w, v)
	if len(w.problems) > n {
		w.within(n, "."+name)
	}
}

// Omit writes a member unless omit is true.
func Omit[T any](o *Object, omit bool, name string, v *T, f Func[T]) {
	if !omit {
		Field(o, name, v, f)
	}
}

// Embed writes the members of an embedded pointer to a struct; none for nil.
func Embed[T any](o *Object, v *T, fields func(*Object, *T)) {
	if v != nil {
		fields(o, v)
	}
}

// Struct writes an object by the function of its type.
func Struct[T any](fields func(*Object, *T)) Func[T] {
	return func(w *Writer, v *T) { object(w, v, fields) }
}

func object[T any](w *Writer, v *T, fields func(*Object, *T)) {
	if w.enter('{') {
		fields((*Object)(w), v)
		w.leave('}')
	}
}

// member writes a comma if need be, the name and the colon.
func (w *Writer) member(name string) {
	w.comma()
	w.string(name)
	w.buf = append(w.buf, ':')
}

func (w *Writer) string(text string) {
	// The error says that invalid UTF-8 was replaced, which is what we want.
	w.buf, _ = jsontext.AppendQuote(w.buf, text)
}
