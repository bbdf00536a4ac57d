// Package compare compares the JSON of tools with that of encoding/json.
package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/content"
)

var (
	current                  string
	compared, wrong, skipped int
)

// Package sets the name of the package that is compared.
func Package(name string) { current = name }

// Summary returns the numbers of values so far.
func Summary() string {
	return fmt.Sprintf("%d values compared, %d skipped, %d wrong", compared, skipped, wrong)
}

// Done prints a summary and ends the program.
func Done() {
	fmt.Println(Summary())
	if wrong > 0 || compared == 0 {
		os.Exit(1)
	}
}

// Fill sets *v to a random value.
func Fill(r *rand.Rand, v any) { fill(r, reflect.ValueOf(v).Elem(), 0) }

func fill(r *rand.Rand, v reflect.Value, depth int) {
	if !v.CanSet() && v.Kind() != reflect.Struct {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString([]string{"", "a", "b<c>", "12", "é\""}[r.IntN(5)])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(r.IntN(4)))
	case reflect.Uint8:
		v.SetUint(uint64(r.IntN(3)))
	case reflect.Float64:
		v.SetFloat([]float64{0, 0.5, -3, 1e21}[r.IntN(4)])
	case reflect.Pointer:
		if r.IntN(2) == 0 && depth < 6 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth+1)
		}
	case reflect.Slice:
		n := r.IntN(3)
		if depth > 5 {
			n = 0
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			present(r, v.Index(i), depth)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(3) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(r, key, depth+1)
			present(r, value, depth)
			v.SetMapIndex(key, value)
		}
	case reflect.Array:
		for i := range v.Len() {
			present(r, v.Index(i), depth)
		}
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf("any"))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i), depth+1)
		}
	}
}

// present is like fill, but sets pointers.
func present(r *rand.Rand, v reflect.Value, depth int) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	fill(r, v, depth+1)
}

// Wrong returns the number of values that are wrong so far.
func Wrong() int { return wrong }

// Type compares the tools that return and take a value of a type.
func Type(server *sdk.Server, n int, v any) {
	Result(server, n, v)
	Arguments(server, n, v)
}

// Result compares the tool get0, with the given number, with encoding/json. It returns the value v.
func Result(server *sdk.Server, n int, v any) {
	text, err := marshal(v)
	if err != nil {
		skipped++
		return
	}
	got, failed := server.Call(context.Background(), fmt.Sprint("get", n), nil, sdk.Host{})
	want := string(text)
	if strings.HasPrefix(got.Structured, `{"result":`) && !strings.HasPrefix(want, `{"result":`) { // structured content is an object
		want = `{"result":` + want + "}"
	}
	check(fmt.Sprint("Get", n), got.Structured, failed, want)
}

// Arguments compares the tool put0, with the given number, with encoding/json. Its result is its arguments as
// encoding/json writes them.
func Arguments(server *sdk.Server, n int, v any) {
	text, err := marshal(v)
	if err != nil {
		skipped++
		return
	}
	args := decode(string(text))
	given, _ := json.Marshal(withoutNull(args))
	in := reflect.New(reflect.TypeOf(v).Elem()).Interface()
	if json.Unmarshal(given, in) != nil || ambiguous(args) {
		skipped++
		return
	}
	want, _ := json.Marshal(in)
	put, failed := server.Call(context.Background(), fmt.Sprint("put", n), given, sdk.Host{})
	answer := ""
	if failed == nil {
		answer = put.Blocks[0].(content.Text).Text
	}
	check(fmt.Sprintf("Put%d %s", n, given), answer, failed, string(want))
}

// marshal is like [json.Marshal], but returns an error instead of a panic, which a promoted method of a nil pointer causes.
func marshal(v any) (data []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return json.Marshal(v)
}

func check(what, got string, err error, want string) {
	// A nil result is a fault of a tool, and the constants of a type are its only values in arguments.
	if err != nil && (want == "null" || strings.Contains(err.Error(), "one of") || strings.Contains(err.Error(), `: expected "`)) {
		skipped++
		return
	}
	compared++
	if err != nil || !same(decode(got), decode(want)) {
		wrong++
		fmt.Printf("%s %s: got %s, %v, but encoding/json writes %s\n", current, what, got, err, want)
	}
}

func decode(text string) (v any) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	_ = d.Decode(&v)
	return v
}

// same compares JSON with that of encoding/json. It accepts the documented differences of results:
//   - An integer of 64 bits is a string.
//   - A nil pointer in a struct is not a member.
//   - A nil list is [], a nil map is {}, and nil bytes are "".
func same(got, want any) bool {
	switch want := want.(type) {
	case json.Number:
		return fmt.Sprint(got) == want.String()
	case nil:
		return got == nil || got == "" || reflect.DeepEqual(got, []any{}) || reflect.DeepEqual(got, map[string]any{})
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return false
		}
		for i := range list {
			if !same(list[i], want[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return false
		}
		for name := range object {
			if _, ok := want[name]; !ok {
				return false
			}
		}
		for name, value := range want {
			if member, ok := object[name]; ok && !same(member, value) || !ok && value != nil {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(got, want)
}

// withoutNull removes the members that are null.
func withoutNull(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = withoutNull(v[i])
		}
	case map[string]any:
		for name, value := range v {
			if value == nil {
				delete(v, name)
			} else {
				v[name] = withoutNull(value)
			}
		}
	}
	return v
}

// ambiguous reports whether an object has names that differ only in case. Servers refuse such values of types that decode
// themselves.
func ambiguous(v any) bool {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if ambiguous(item) {
				return true
			}
		}
	case map[string]any:
		seen := map[string]bool{}
		for name, value := range v {
			if lower := strings.ToLower(name); seen[lower] || ambiguous(value) {
				return true
			} else {
				seen[lower] = true
			}
		}
	}
	return false
}
