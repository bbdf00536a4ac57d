package tool

import (
	"encoding/json"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/encode"
)

// A Result is what a tool answers.
type Result struct {
	// Blocks stand alone: a reader who sees nothing else misses nothing.
	Blocks content.Blocks
	// Structured is the same as the text of a JSON object that fits the tool's output
	// schema, "" for a tool that has none.
	Structured string
	// Warnings are remarks on the call itself, a sentence each.
	Warnings []string
	// Once are the results of [Once], to be carried to the next run. They are there
	// beside a pending question, too.
	Once map[string]json.RawMessage
}

// A Texter is a result that says itself how it reads as text.
type Texter interface{ Text() string }

// None stands for a part that a tool does not have.
type None struct{}

// Done renders the result of a tool that returns only an error.
func Done(None) (Result, error) { return Result{Blocks: content.Of("ok")}, nil }

// Text renders a string as one block.
func Text[T ~string](v T) (Result, error) { return Result{Blocks: content.Of(string(v))}, nil }

// Worded is [Text] with the string as structured content, too: as the member
// "result" of an object. Some clients that find structured content look at nothing else.
func Worded[T ~string](v T) (Result, error) {
	// AppendQuote replaces what is not UTF-8, and reports that as an error.
	object, _ := jsontext.AppendQuote([]byte(`{"result":`), string(v))
	return Result{Blocks: content.Of(string(v)), Structured: string(append(object, '}'))}, nil
}

// Blocks renders blocks as they are. One that no host could read is a fault of the
// handler, since some hosts would drop the whole result for it.
func Blocks(v content.Blocks) (Result, error) {
	if err := v.Check(); err != nil {
		return Result{}, fault.Wrap(err, fault.Internal, "the tool returned a malformed result: %s", err)
	}
	return Result{Blocks: v}, nil
}

// Structured returns the rendering of a struct whose members fields encodes: as
// an object, and as text by its Text method, else as compact JSON.
func Structured[T any](fields func(*encode.Object, *T)) func(T) (Result, error) {
	return func(v T) (Result, error) { return structured(&v, fields) }
}

// Pointer is [Structured] for a pointer to a struct. A nil pointer is a fault of
// the handler, which then returned neither a result nor an error.
func Pointer[T any](fields func(*encode.Object, *T)) func(*T) (Result, error) {
	return func(v *T) (Result, error) {
		if v == nil {
			return Result{}, fault.New(fault.Internal, "the tool returned neither a result nor an error")
		}
		return structured(v, fields)
	}
}

func structured[T any](v *T, fields func(*encode.Object, *T)) (Result, error) {
	data, err := encode.From(v, fields)
	if err != nil {
		return Result{}, err
	}
	return Result{Blocks: content.Of(textOf(v, data)), Structured: data}, nil
}

// Object returns the rendering of a value that is encoded as a JSON object, such
// as a map.
func Object[T any](f encode.Func[T]) func(T) (Result, error) {
	return func(v T) (Result, error) {
		data, err := encode.FromValue(&v, f)
		if err != nil {
			return Result{}, err
		}
		return Result{Blocks: content.Of(textOf(&v, data)), Structured: data}, nil
	}
}

// Wrapped returns the rendering of a value that is not encoded as an object: as
// the member "result" of one, since clients before MCP 2026-07-28 accept nothing
// else, and as text by itself.
func Wrapped[T any](f encode.Func[T]) func(T) (Result, error) {
	return func(v T) (Result, error) {
		value, err := encode.FromValue(&v, f)
		if err != nil {
			return Result{}, err
		}
		data := `{"result":` + value + "}"
		return Result{Blocks: content.Of(textOf(&v, data[len(`{"result":`):len(data)-1])), Structured: data}, nil
	}
}

// textOf returns the text of *v: its own, else its JSON.
func textOf[T any](v *T, data string) string {
	if t, ok := any(v).(Texter); ok {
		// A result of pointer or interface type may be nil and still have the method.
		if inner := reflect.ValueOf(v).Elem(); inner.Kind() != reflect.Pointer || !inner.IsNil() {
			return t.Text()
		}
	}
	return data
}
