package encode

import "github.com/go-json-experiment/json/jsontext"

// An Object is a JSON object that is being encoded.
type Object Writer

// Field encodes a member. The caller ensures that names are unique.
func Field[T any](o *Object, name string, v *T, f Func[T]) {
	w := (*Writer)(o)
	w.member(name)
	n := len(w.problems)
	f(w, v)
	if len(w.problems) > n {
		w.prefixPaths(n, "."+name)
	}
}

// Omit encodes a member unless omit is true.
func Omit[T any](o *Object, omit bool, name string, v *T, f Func[T]) {
	if !omit {
		Field(o, name, v, f)
	}
}

// Embed encodes the members of an embedded pointer to a struct. A nil pointer has no members.
func Embed[T any](o *Object, v *T, fields func(*Object, *T)) {
	if v != nil {
		fields(o, v)
	}
}

// Struct returns a function that encodes a struct as an object, whose members fields encodes.
func Struct[T any](fields func(*Object, *T)) Func[T] {
	return func(w *Writer, v *T) {
		if w.enter('{') {
			fields((*Object)(w), v)
			w.leave('}')
		}
	}
}

// member appends a comma if necessary, the name and a colon.
func (w *Writer) member(name string) {
	w.comma()
	w.string(name)
	w.buf = append(w.buf, ':')
}

func (w *Writer) string(text string) {
	// An error only reports that invalid UTF-8 was replaced, as intended.
	w.buf, _ = jsontext.AppendQuote(w.buf, text)
}

// When returns the case for an interface value that contains the struct T.
func When[I, T any](fields func(*Object, *T)) func(*Writer, I) bool {
	return func(w *Writer, v I) bool {
		t, ok := any(v).(T)
		if ok {
			Struct(fields)(w, &t)
		}
		return ok
	}
}

// Sum encodes an interface value as the struct that it contains. A nil interface is an error.
func Sum[I any](cases ...func(*Writer, I) bool) Func[I] {
	return func(w *Writer, v *I) {
		for _, encoded := range cases {
			if encoded(w, *v) {
				return
			}
		}
		reason := "it is nested deeper than the schema allows"
		if any(*v) == nil {
			reason = "the schema does not allow nil"
		}
		w.refuse(reason, nil)
	}
}
