package encode

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
)

// List encodes a slice as a list. The slice type must be named; the type of the element Func
// is inferred: List[[]string](String).
func List[S ~[]T, T any](f Func[T]) Func[S] {
	return func(w *Writer, v *S) { Array(w, *v, f) }
}

// Array encodes the elements of an array:
//
//	func(w *encode.Writer, v *[3]int) { encode.Array(w, v[:], encode.Int) }
func Array[T any](w *Writer, v []T, f Func[T]) {
	if !w.enter('[') {
		return
	}
	for i := range v {
		w.comma()
		n := len(w.problems)
		f(w, &v[i])
		if len(w.problems) > n {
			w.prefixPaths(n, "["+strconv.Itoa(i)+"]")
		}
	}
	w.leave(']')
}

// Pointer encodes nil as null, and other pointers as the value they point to.
func Pointer[T any](f Func[T]) Func[*T] {
	return func(w *Writer, v **T) {
		if *v == nil {
			w.buf = append(w.buf, "null"...)
		} else {
			f(w, *v)
		}
	}
}

// html escapes characters in JSON text like [json.HTMLEscape].
var html = strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "\u2028", `\u2028`, "\u2029", `\u2029`)

// Quoted encodes the JSON text of a boolean, a number or a string as a string.
func Quoted[T any](f Func[T]) Func[T] {
	return func(w *Writer, v *T) {
		n := len(w.buf)
		f(w, v)
		text := html.Replace(string(w.buf[n:]))
		w.buf = w.buf[:n]
		w.string(text)
	}
}

type nullable[T any] = struct {
	Set   bool
	Value *T
}

// Nullable encodes the Value of a struct, or null if Value is nil.
func Nullable[N ~nullable[T], T any](f Func[T]) Func[N] {
	return func(w *Writer, v *N) {
		n := nullable[T](*v)
		Pointer(f)(w, &n.Value)
	}
}

// Map encodes a map as an object with sorted members. The map type must be named; the types of the
// Funcs are inferred: Map[map[string]int](StringKey, Int). Keys with equal names are an error.
func Map[M ~map[K]V, K comparable, V any](key func(K) (string, error), f Func[V]) Func[M] {
	type entry struct {
		name string
		key  K
	}
	return func(w *Writer, v *M) {
		if !w.enter('{') {
			return
		}
		defer w.leave('}')
		if len(*v) == 0 {
			return
		}
		entries := make([]entry, 0, len(*v))
		for k := range *v {
			name, err := key(k)
			if err != nil {
				w.refuse("a map key cannot be encoded", err)
				continue
			}
			entries = append(entries, entry{strings.ToValidUTF8(name, "\uFFFD"), k})
		}
		slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
		value := new(V)
		for i, e := range entries {
			n := len(w.problems)
			if i > 0 && e.name == entries[i-1].name {
				w.refuse("two keys have this name", nil)
			}
			w.member(e.name)
			*value = (*v)[e.key]
			f(w, value)
			if len(w.problems) > n {
				w.prefixPaths(n, "["+strconv.Quote(phrase.Clip(e.name, maxShown))+"]")
			}
		}
	}
}

// StringKey encodes a string as a member name.
func StringKey[K ~string](k K) (string, error) { return string(k), nil }

// IntKey encodes an integer as a member name.
func IntKey[K signed](k K) (string, error) { return strconv.FormatInt(int64(k), 10), nil }

// UintKey is [IntKey] for unsigned types.
func UintKey[K unsigned](k K) (string, error) { return strconv.FormatUint(uint64(k), 10), nil }
