package tool

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/encode"
)

// A Result is the result of a tool.
type Result struct {
	// Blocks are complete by themselves, for clients that ignore Structured.
	Blocks content.Blocks
	// Structured is the same result as a JSON object that matches the tool's output schema; ""
	// if the tool has none.
	Structured string
	// Warnings are sentences about the call itself.
	Warnings []string
	// Once has the results of [Once] for the next run, also when a question is pending.
	Once map[string]json.RawMessage

	// derive returns the first block for other structured content; nil if that text is not
	// derived from it.
	derive func(structured string) string
	page   *listing // not rendered yet
	// footer is the text about the next page. It becomes the last block, after any cut.
	footer string
	// whole is sent if the result is cut; nil for none.
	whole *content.Link
}

// derived returns r with its first block derived from its structured content.
func (r Result) derived() Result {
	if r.derive != nil {
		r.Blocks = slices.Clone(r.Blocks)
		r.Blocks[0] = content.Text{Text: r.derive(r.Structured)}
	}
	return r
}

// then returns f of r, or r with f of each rendering of its page.
func (r Result) then(f func(Result) (Result, error)) (Result, error) {
	if r.page == nil {
		return f(r)
	}
	render := r.page.render
	r.page.render = func() (Result, error) {
		rendered, err := render()
		if err != nil {
			return Result{}, err
		}
		return f(rendered)
	}
	return r, nil
}

// matching returns a function that returns a result if its structured content matches a schema.
func matching(schema string) func(Result) (Result, error) {
	exact := decode.Exact(schema, func(*decode.Object, *None) {})
	return func(r Result) (Result, error) {
		report := decode.Into([]byte(r.Structured), new(None), exact, decode.Options{What: "result"})
		if problem, ok := errors.AsType[*fault.Error](report.Err()); ok {
			return Result{}, fault.New(fault.Internal, "the result does not match the published schema: %s", problem.Message)
		}
		return r, nil
	}
}

// allOf is the text of a result that is an object.
func allOf(structured string) string { return structured }

// resultOf is the text of a result that is the member "result" of an object.
func resultOf(structured string) string {
	return strings.TrimSuffix(strings.TrimPrefix(structured, resultStart), "}")
}

const resultStart = `{"result":`

// A Texter is a typed result with a text of its own. A typed result with a method
// Blocks() content.Blocks has blocks of its own.
type Texter interface{ Text() string }

// None is the type of a part that a tool does not have.
type None struct{}

// Done renders the result of a tool that only returns an error.
func Done(None) (Result, error) { return Result{Blocks: content.Of("ok")}, nil }

// Text renders a string as one block.
func Text[T ~string](v T) (Result, error) { return Result{Blocks: content.Of(spoken(v))}, nil }

// spoken returns a string as a client receives it.
func spoken[T ~string](v T) string {
	if u, ok := any(v).(content.Untrusted); ok {
		return u.String()
	}
	return string(v)
}

// Worded is like [Text], with the string also as the member "result" of structured content,
// because some clients ignore blocks if there is structured content.
func Worded[T ~string](v T) (Result, error) {
	// AppendQuote replaces invalid UTF-8 and reports it as an error.
	text := spoken(v)
	object, _ := jsontext.AppendQuote([]byte(resultStart), text)
	return Result{Blocks: content.Of(text), Structured: string(append(object, '}'))}, nil
}

// Blocks renders content blocks. Malformed blocks are a fault of the handler, because some
// hosts would drop the whole result.
func Blocks(v content.Blocks) (Result, error) {
	if err := v.Check(); err != nil {
		return Result{}, fault.Wrap(err, fault.Internal, "the tool returned a malformed result: %s", err)
	}
	var r Result
	for _, b := range v {
		if link, ok := b.(content.Link); ok && link.Whole {
			r.whole = &link
		} else {
			r.Blocks = append(r.Blocks, b)
		}
	}
	return r, nil
}

// Structured returns a function that renders a struct, whose members fields encodes: as an
// object, and as the text of its Text method or else compact JSON.
func Structured[T any](fields func(*encode.Object, *T)) func(T) (Result, error) {
	return func(v T) (Result, error) { return structured(&v, fields) }
}

// Pointer is like [Structured] for a pointer to a struct. A nil pointer is a fault of the
// handler.
func Pointer[T any](fields func(*encode.Object, *T)) func(*T) (Result, error) {
	return func(v *T) (Result, error) {
		if v == nil {
			return Result{}, fault.New(fault.Internal, "the tool returned neither a result nor an error")
		}
		return structured(v, fields)
	}
}

func structured[T any](v *T, fields func(*encode.Object, *T)) (Result, error) {
	if p, ok := any(v).(pager); ok {
		return Result{page: &listing{p, func() (Result, error) { return object(v, fields) }}}, nil
	}
	return object(v, fields)
}

func object[T any](v *T, fields func(*encode.Object, *T)) (Result, error) {
	data, err := encode.From(v, fields)
	if err != nil {
		return Result{}, err
	}
	return typed(v, allOf, data)
}

// Object returns a function that renders a value that encodes as a JSON object, such as a map.
func Object[T any](f encode.Func[T]) func(T) (Result, error) {
	return func(v T) (Result, error) {
		data, err := encode.FromValue(&v, f)
		if err != nil {
			return Result{}, err
		}
		return typed(&v, allOf, data)
	}
}

// Wrapped returns a function that renders other values: as the member "result" of an object,
// because clients before MCP 2026-07-28 accept only objects, and as their own text.
func Wrapped[T any](f encode.Func[T]) func(T) (Result, error) {
	return func(v T) (Result, error) {
		value, err := encode.FromValue(&v, f)
		if err != nil {
			return Result{}, err
		}
		return typed(&v, resultOf, resultStart+value+"}")
	}
}

// With returns a function that renders a value as render does, with its own text and with the
// additional blocks.
func With[T any](render func(T) (Result, error)) func(content.With[T]) (Result, error) {
	return func(v content.With[T]) (Result, error) {
		r, err := render(v.Value)
		if err != nil {
			return Result{}, err
		}
		return r.then(func(r Result) (Result, error) {
			if v.Text != "" {
				r.Blocks, r.derive = content.Of(v.Text), nil
			}
			beside, err := Blocks(v.Blocks)
			r.Blocks, r.whole = append(slices.Clip(r.Blocks), beside.Blocks...), beside.whole
			return r, err
		})
	}
}

// typed renders the typed result *v as its own blocks, else as its own text, else as the text
// of structured content.
func typed[T any](v *T, derive func(string) string, structured string) (Result, error) {
	result := Result{Blocks: content.Of(derive(structured)), Structured: structured, derive: derive}
	// A nil pointer may still have the methods.
	if inner := reflect.ValueOf(v).Elem(); inner.Kind() == reflect.Pointer && inner.IsNil() {
		return result, nil
	}
	switch own := any(v).(type) {
	case interface{ Blocks() content.Blocks }:
		blocks, err := Blocks(own.Blocks())
		if err != nil {
			return Result{}, err
		}
		result.Blocks, result.derive, result.whole = blocks.Blocks, nil, blocks.whole
	case pager:
		if text, ok := own.text(); ok {
			result.Blocks, result.derive = content.Of(text), nil
		}
	case Texter:
		result.Blocks, result.derive = content.Of(own.Text()), nil
	}
	return result, nil
}
