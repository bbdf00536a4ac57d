package handler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
)

// Invoke runs a tool in this process, as if it were called with in and opt as JSON, which are validated. The asker
// answers questions while the handler waits. Out is the type of the tool's result. The error is a *[fault.Error]
// with a code that every tool has or that the tool declares. Generated code calls Invoke.
func Invoke[Out any](ctx context.Context, t *Tool, in, opt any, asker question.Asker) (Out, error) {
	var out, none Out
	r := &Run{Asker: asker, keep: func(result any) {
		out, _ = result.(Out) // a nil interface has no type
		if p, ok := tool.PageOf(&out); ok {
			if count, first, err := p.Cuts(); err == nil { // an error is reported when the page is rendered
				first(count, "", func(position string) string { return position })
			}
		}
	}}
	r.Root, _ = access.WorkingDir() // tools that need a directory report that it is not suitable
	var err error
	if r.Arguments, err = plainJSON("arguments", in); err == nil {
		r.Options = make([]json.RawMessage, 1)
		r.Options[0], err = plainJSON("options", opt)
	}
	if err == nil {
		_, err = t.Run(ctx, r)
	}
	if err != nil {
		return none, Unanswered(err)
	}
	return out, nil
}

// Unanswered converts a pending question that no further run will answer to a fault.
func Unanswered(err error) error {
	if pending, ok := err.(*question.Pending); ok {
		return fault.Wrap(pending, fault.InputUnavailable, "question %q was not answered", pending.Questions[0].ID)
	}
	return err
}

// plainJSON returns arguments or options as a caller writes them: with the tags of encoding/json,
// nil slices and maps as empty ones, and durations in the format of [time.ParseDuration].
func plainJSON(what string, v any) (json.RawMessage, error) {
	nullable := func(e *jsontext.Encoder, m json.Marshaler) error {
		v := reflect.Indirect(reflect.ValueOf(m))
		if !v.IsValid() || v.Type().PkgPath() != reflect.TypeFor[tool.Cursor]().PkgPath() || !strings.HasPrefix(v.Type().Name(), "Nullable[") {
			return errors.ErrUnsupported // encode it as usual
		}
		return jsonv2.MarshalEncode(e, v.FieldByName("Value").Interface())
	}
	duration := func(d time.Duration) ([]byte, error) { return json.Marshal(d.String()) }
	secret := func(s tool.Secret) ([]byte, error) { return json.Marshal(s.Reveal()) } // the handler decodes it again
	data, err := jsonv2.Marshal(v, jsonv1.DefaultOptionsV1(),
		jsonv2.FormatNilSliceAsNull(false), jsonv2.FormatNilMapAsNull(false),
		jsonv2.WithMarshalers(jsonv2.JoinMarshalers(jsonv2.MarshalToFunc(nullable), jsonv2.MarshalFunc(duration), jsonv2.MarshalFunc(secret))))
	if err != nil {
		return nil, fault.Wrap(err, fault.InvalidInput, "the %s cannot be encoded as JSON: %s", what, err)
	}
	return data, nil
}

// Unknown returns the fault for an unknown tool or prompt. It suggests the nearest name. If no name is near,
// it lists some names, starting with those that share a word with the unknown name.
func Unknown(kind Kind, name string, names []string) *fault.Error {
	const limit = 12
	f := fault.New(fault.NotFound, "there is no %s %.60q", string(kind), name)
	if near, ok := phrase.Nearest(name, names); ok {
		f.Message += fmt.Sprintf("; did you mean %q?", near)
		f.Details = map[string]any{"nearest": near}
		return f
	}
	words := strings.FieldsFunc(strings.ToLower(phrase.Clip(name, 60)), func(r rune) bool { return !unicode.IsLetter(r) })
	shares := func(name string) int {
		return -len(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.Contains(name, w) }))
	}
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int { return shares(a) - shares(b) })
	if len(names) > 0 {
		f.Message += "; the " + string(kind) + "s are " + strings.Join(names[:min(len(names), limit)], ", ")
	}
	if len(names) > limit {
		f.Message += fmt.Sprintf(" and %d others", len(names)-limit)
	}
	return f
}
