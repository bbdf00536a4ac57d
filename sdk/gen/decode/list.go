package decode

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// List decodes a list into a slice, which is never nil. The slice type must be named; the type of
// the element Func is inferred: List[[]string](String). With [Single], it also accepts one element.
func List[S ~[]T, T any](f Func[T]) Func[S] {
	return func(v Value, dst *S) {
		if decodeList(v, f) {
			list := make(S, v.node().count)
			elements(v, list, f)
			*dst = list
		}
	}
}

const aList = "a list"

// decodeList is like [Value.want] for a list, but also converts a single value that f accepts.
func decodeList[T any](v Value, f Func[T]) bool {
	text := v.node().text
	switch {
	case v.kind() == kindList:
		return true
	case v.at == 0, v.at != v.d.single, v.kind() == kindNull, v.d.Strict, jsontext.Value(text).Kind() == kindList,
		v.d.nodes[v.node().parent].kind == kindList: // [1,2] for a list of lists is ambiguous
	case v.kind() == kindString && bytes.ContainsAny(text, ",\n") && noun(v.d, f) != anObject:
		v.refuse(aList, "", `write several values as a list, such as ["a","b"]`)
		return false
	case single(v, f):
		v.wrap()
		return true
	}
	return v.want(kindList, aList)
}

// single reports whether f accepts v as an element. The members of an object do not matter:
// problems with them have their own paths.
func single[T any](v Value, f Func[T]) bool {
	switch noun(v.d, f) {
	case aList:
		return false
	case anObject:
		return v.kind() == kindObject || v.kind() == kindString && jsontext.Value(v.node().text).Kind() == kindObject
	}
	return v.kind() != kindObject && !v.d.try(func() { f(v, new(T)) }).refused
}

// Array decodes a list of exactly len(dst) elements into an array:
//
//	func(v decode.Value, dst *[3]int) { decode.Array(v, dst[:], decode.Int) }
func Array[T any](v Value, dst []T, f Func[T]) {
	noun := "a list of exactly " + phrase.Plural(len(dst), "item")
	switch {
	case !v.want(kindList, noun):
	case int(v.node().count) != len(dst):
		v.refuse(noun, "", "")
	default:
		elements(v, dst, f)
	}
}

func elements[T any](v Value, dst []T, f Func[T]) {
	child := v.node().first
	for i := range dst {
		f(Value{v.d, child}, &dst[i])
		child = v.d.nodes[child].next
	}
}

// Pointer decodes null to nil, and other values to a new T.
func Pointer[T any](f Func[T]) Func[*T] {
	return func(v Value, dst **T) {
		if v.kind() == kindNull {
			*dst = nil
			return
		}
		*dst = new(T)
		f(v, *dst)
	}
}

// New decodes a value to a new T. Unlike [Pointer], it does not accept null, unless f does.
func New[T any](f Func[T]) Func[*T] {
	return func(v Value, dst **T) {
		*dst = new(T)
		f(v, *dst)
	}
}

type nullable[T any] = struct {
	Set   bool
	Value *T
}

// Nullable decodes null and other values to a struct, which distinguishes both from an absent
// field. The struct type must be named: Nullable[tool.Nullable[string]](String).
func Nullable[N ~nullable[T], T any](f Func[T]) Func[N] {
	return func(v Value, dst *N) {
		n := nullable[T]{Set: true}
		Pointer(f)(v, &n.Value)
		*dst = N(n)
	}
}

// Map decodes an object into a map, which is never nil. Only the map type must be written, because
// the types of the Funcs are inferred: Map[map[string]int](StringKey, Int). It is an error if two
// names have the same key.
func Map[M ~map[K]V, K comparable, V any](key func(name string, dst *K) error, f Func[V]) Func[M] {
	return func(v Value, dst *M) {
		if !v.want(kindObject, anObject) {
			return
		}
		entries := make(M, v.node().count)
		var value, zero V
		for at := v.node().first; at != 0; at = v.d.nodes[at].next {
			var k K
			member := Value{v.d, at}
			err := key(string(member.node().name), &k)
			if _, twice := entries[k]; twice && err == nil {
				err = errors.New("another name decodes to the same key")
			}
			if err != nil {
				member.refuseName(err)
				continue
			}
			value = zero
			f(member, &value)
			entries[k] = value
		}
		*dst = entries
	}
}

func (v Value) refuseName(err error) {
	expected, hint := "a name that is a key of this map", phrase.Clip(err.Error(), maxHint)
	if number, ok := err.(notInteger); ok {
		expected, hint = "a name that is an integer"+string(number), ""
	}
	v.d.refuse(v.at, expected, "the name "+quote(v.node().name), hint)
}

// A notInteger is the error for a key that must be an integer. It contains the range, if known.
type notInteger string

func (r notInteger) Error() string { return "it is not an integer" + string(r) }

// StringKey decodes a map key as a string.
func StringKey[K ~string](name string, dst *K) error {
	*dst = K(name)
	return nil
}

// IntKey decodes a map key as a decimal integer.
func IntKey[K signed](name string, dst *K) error {
	n, err := strconv.ParseInt(name, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return notInteger("")
	case err != nil || int64(K(n)) != n:
		return notInteger(rangeOf[K]())
	}
	*dst = K(n)
	return nil
}

// UintKey is [IntKey] for unsigned types.
func UintKey[K unsigned](name string, dst *K) error {
	n, err := strconv.ParseUint(name, 10, 64)
	if err != nil || uint64(K(n)) != n {
		return notInteger(rangeOf[K]())
	}
	*dst = K(n)
	return nil
}
