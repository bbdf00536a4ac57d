package handler

import (
	"encoding/json"
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/encode"
	"github.com/jptool/jptool/sdk/tool"
)

// A Result is the result of a run.
type Result struct {
	tool.Result
	// Once contains the results of [tool.Once] for the next run. It is set if a question is
	// pending.
	Once map[string]json.RawMessage
	// Messages are the result of a prompt, unless it is a text.
	Messages content.Messages

	directory   fs.FS            // of the resource
	completions tool.Completions // of a completion
	// derive returns the text of the first block for structured content; nil if it has its own text.
	derive func(structured string) string
	value  func(structured string) string // returns a typed result as JSON; nil if the result is not typed
	page   *listing                       // nil if the result is not a page
	whole  *content.Link                  // sent if the result is truncated; nil means none
}

// deriveFirst returns r with its first block derived from its structured content.
func (r Result) deriveFirst() Result {
	if r.derive != nil {
		r.Blocks = slices.Clone(r.Blocks)
		r.Blocks[0] = content.Text{Text: r.derive(r.Structured)}
	}
	return r
}

// then applies f to r or, if r is a page, to each rendering of it. err is the error from rendering
// r.
func (r Result) then(err error, f func(Result) (Result, error)) (Result, error) {
	if err != nil {
		return Result{}, err
	}
	if r.page == nil {
		return f(r)
	}
	render := r.page.render
	r.page.render = func() (Result, error) {
		rendered, err := render()
		return rendered.then(err, f)
	}
	return r, nil
}

// matching returns a function that fails unless structured content matches a schema.
func matching(schema string) func(structured string) error {
	exact := decode.Exact(schema, func(*decode.Object, *None) {})
	return func(structured string) error {
		report := decode.Into([]byte(structured), new(None), exact, decode.Options{What: "result"})
		if problem, ok := errors.AsType[*fault.Error](report.Err()); ok {
			return fault.New(fault.Internal, "the result does not match the published schema: %s", problem.Message)
		}
		return nil
	}
}

const resultStart = `{"result":`

// None is the type of a part, such as the options, that a tool does not have.
type None struct{}

// Done renders the result of a tool that only returns an error.
func Done(None) (Result, error) { return Result{Result: tool.Result{Blocks: content.Of("ok")}}, nil }

// Text renders a string as one block.
func Text[T ~string](v T) (Result, error) {
	return Result{Result: tool.Result{Blocks: content.Of(textOf(v))}}, nil
}

func textOf[T ~string](v T) string {
	if u, ok := any(v).(content.Untrusted); ok {
		return u.String()
	}
	return string(v)
}

// WrappedText is like [Text], but also returns the string as the member "result" of structured
// content, because some clients ignore blocks if there is structured content.
func WrappedText[T ~string](v T) (Result, error) {
	text := textOf(v)
	object, _ := jsontext.AppendQuote([]byte(resultStart), text) // replaces invalid UTF-8
	return Result{Result: tool.Result{Blocks: content.Of(text), Structured: string(append(object, '}'))}}, nil
}

// Blocks renders content blocks. Malformed blocks are an internal fault, because some hosts would
// drop the whole result.
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

// Structured returns a function that renders a struct as structured content and as text. fields
// encodes the members of the struct. The text is that of the struct's Text method, or else compact
// JSON.
func Structured[T any](fields func(*encode.Object, *T)) func(T) (Result, error) {
	return func(v T) (Result, error) { return structuredResult(&v, fields) }
}

// Pointer is like [Structured] for a pointer to a struct. It fails for a nil pointer.
func Pointer[T any](fields func(*encode.Object, *T)) func(*T) (Result, error) {
	return func(v *T) (Result, error) {
		if v == nil {
			return Result{}, errNoResult()
		}
		return structuredResult(v, fields)
	}
}

func errNoResult() error {
	return fault.New(fault.Internal, "the tool returned neither a result nor an error")
}

func structuredResult[T any](v *T, fields func(*encode.Object, *T)) (Result, error) {
	if p, ok := tool.PageOf(v); ok {
		return Result{page: &listing{Page: p, render: func() (Result, error) { return object(v, fields) }}}, nil
	}
	return object(v, fields)
}

func object[T any](v *T, fields func(*encode.Object, *T)) (Result, error) {
	data, err := encode.From(v, fields)
	return renderTyped(v, all, data, err)
}

// Object returns a function that renders a value that encodes as a JSON object, such as a map. It fails for null, which
// is a nil pointer.
func Object[T any](f encode.Func[T]) func(T) (Result, error) {
	return func(v T) (Result, error) {
		data, err := encode.FromValue(&v, f)
		if data == "null" {
			return Result{}, errNoResult()
		}
		return renderTyped(&v, all, data, err)
	}
}

// Wrapped returns a function that renders a value as text, and as the member "result" of an object,
// because clients before MCP 2026-07-28 accept only objects.
func Wrapped[T any](f encode.Func[T]) func(T) (Result, error) {
	return func(v T) (Result, error) {
		value, err := encode.FromValue(&v, f)
		text := func(structured string) string {
			return strings.TrimSuffix(strings.TrimPrefix(structured, resultStart), "}")
		}
		return renderTyped(&v, text, resultStart+value+"}", err)
	}
}

// With returns a function that renders the Value with render, and applies the Text and the Blocks.
func With[T any](render func(T) (Result, error)) func(content.With[T]) (Result, error) {
	return func(v content.With[T]) (Result, error) {
		r, err := render(v.Value)
		return r.then(err, func(r Result) (Result, error) {
			if v.Text != "" {
				r.Blocks, r.derive = content.Of(v.Text), nil
			}
			extra, err := Blocks(v.Blocks)
			r.Blocks, r.whole = append(slices.Clip(r.Blocks), extra.Blocks...), extra.whole
			return r, err
		})
	}
}

// all returns structured content, which is the text of a result that is an object.
func all(structured string) string { return structured }

// renderTyped renders *v with its method Blocks or Text, or else as the text of structured content.
// err is the error from encoding *v.
func renderTyped[T any](v *T, derive func(string) string, structured string, err error) (Result, error) {
	if err != nil {
		return Result{}, err
	}
	result := Result{Result: tool.Result{Blocks: content.Of(derive(structured)), Structured: structured}, derive: derive, value: derive}
	// The type of a nil pointer may still have these methods.
	if inner := reflect.ValueOf(v).Elem(); inner.Kind() == reflect.Pointer && inner.IsNil() {
		return result, nil
	}
	if own, ok := any(v).(interface{ Blocks() content.Blocks }); ok {
		blocks, err := Blocks(own.Blocks())
		result.Blocks, result.derive, result.whole = blocks.Blocks, nil, blocks.whole
		return result, err
	}
	if page, ok := tool.PageOf(v); ok {
		if text, ok := page.Text(); ok {
			result.Blocks, result.derive = content.Of(text), nil
		}
	} else if own, ok := any(v).(tool.Texter); ok {
		result.Blocks, result.derive = content.Of(own.Text()), nil
	}
	return result, nil
}
