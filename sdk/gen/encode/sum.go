package encode

// When returns the case of an interface that is the struct T.
func When[I, T any](fields func(*Object, *T)) func(*Writer, I) bool {
	return func(w *Writer, v I) bool {
		t, ok := any(v).(T)
		if ok {
			object(w, &t, fields)
		}
		return ok
	}
}

// Sum encodes a value of an interface as the struct that it is. A nil interface is an error.
func Sum[I any](cases ...func(*Writer, I) bool) Func[I] {
	return func(w *Writer, v *I) {
		for _, encoded := range cases {
			if encoded(w, *v) {
				return
			}
		}
		if any(*v) == nil {
			w.refuse("nil is not a value of the schema", nil)
		} else {
			w.refuse("it is nested deeper than the schema", nil)
		}
	}
}
