package embedding

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/corpus/embedding/parts"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/encode"
)

// The generated code reads and writes the same fields as encoding/json.
func TestEmbeddedFieldsAreThoseOfEncodingJSON(t *testing.T) {
	compare(t, decodePartsPlain, encodePartsPlain)
	compare(t, decodePartsExcluded, encodePartsExcluded)
	compare(t, decodePartsRenamed, encodePartsRenamed)
	compare(t, decodePartsRetyped, encodePartsRetyped)
	compare(t, decodePartsShadowed, encodePartsShadowed)
	compare(t, decodePartsAmbiguous, encodePartsAmbiguous)
	compare(t, decodePartsMethod, encodePartsMethod)
	compare(t, decodePartsTwoLevels, encodePartsTwoLevels)
	compare(t, decodePartsHiddenLevel, encodePartsHiddenLevel)
	compare(t, decodePartsMixed, encodePartsMixed)
	compare(t, decodePartsPointer, encodePartsPointer)
	compare(t, decodePartsHiddenPointer, encodePartsHiddenPointer)
	compare(t, decodePartsPointerToOpen, encodePartsPointerToOpen)
	compare(t, decodePartsPointerToBehind, encodePartsPointerToBehind)
	compare(t, decodePartsGeneric, encodePartsGeneric)
	compare(t, decodePartsByAlias, encodePartsByAlias)
	compare(t, decodePartsNamed, encodePartsNamed)
	compare(t, decodePartsOptional, encodePartsOptional)
	compare(t, decodeLocal, encodeLocal)
	compare(t, decodeOuter, encodeOuter)
}

func compare[T any](t *testing.T, fields func(*decode.Object, *T), members func(*encode.Object, *T)) {
	t.Run(reflect.TypeFor[T]().Name(), func(t *testing.T) {
		t.Parallel()
		for _, full := range []bool{false, true} {
			var value, mine, theirs T
			if full {
				n := 0
				fill(reflect.ValueOf(&value).Elem(), &n)
			}
			want, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			got, err := encode.From(&value, members)
			if err != nil || !reflect.DeepEqual(generic(t, []byte(got)), generic(t, want)) {
				t.Errorf("encoding: got %s, %v; encoding/json writes %s", got, err, want)
			}
			// The members that both leave out are absent, so that each is decoded into a zero value.
			if err := json.Unmarshal(want, &theirs); err != nil {
				t.Fatal(err)
			}
			report := decode.Into(want, &mine, fields, decode.Options{Strict: true, Closed: true})
			if full && report.Err() != nil {
				t.Errorf("decoding %s: %v", want, report.Err())
			}
			if full && !reflect.DeepEqual(mine, theirs) {
				t.Errorf("decoding %s: got %+v; encoding/json has %+v", want, mine, theirs)
			}
		}
	})
}

// fill sets all fields that other packages can set, and gives each a different value.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous {
				fill(v.Field(i), n)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), n)
	case reflect.String:
		v.SetString(fmt.Sprint("text ", *n))
	case reflect.Int:
		v.SetInt(int64(2 * *n)) // an even number is not zero for Check
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.5)
	default:
		panic(v.Kind())
	}
}

func generic(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}

// A type that has changed since the code was generated is reported, and no other field is read instead.
func TestHiddenFieldOfAChangedType(t *testing.T) {
	defer func() {
		if got, want := fmt.Sprint(recover()), "type parts.Excluded has no field gone; run go generate"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}()
	decode.Hidden[string](new(parts.Excluded), "gone", "ID")
}
