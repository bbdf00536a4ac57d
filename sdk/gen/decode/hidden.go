package decode

import (
	"fmt"
	"reflect"
)

// Hidden returns a pointer to a field of an embedded struct that is unexported in another package, if Go does not
// promote the field because another field or a method has the same name. path holds the names of the embedded structs
// and of the field. Encoders use Hidden too. It panics if S does not have the field, which means that the type has
// changed since the code was generated.
func Hidden[T, S any](s *S, path ...string) *T {
	v := reflect.ValueOf(s).Elem()
	for _, name := range path {
		f, ok := v.Type().FieldByName(name)
		if !ok || len(f.Index) > 1 { // a promoted field is another field
			panic(fmt.Sprintf("type %s has no field %s; run go generate", v.Type(), name))
		}
		v = v.FieldByIndex(f.Index)
	}
	p, ok := v.Addr().Interface().(*T)
	if !ok {
		panic(fmt.Sprintf("field %s has type %s, not %s; run go generate", path[len(path)-1], v.Type(), reflect.TypeFor[T]()))
	}
	return p
}
