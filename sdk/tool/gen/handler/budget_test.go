package handler_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/encode"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// runReturning runs a tool that returns v.
func runReturning[T any](ctx context.Context, render func(T) (handler.Result, error), v T, err error, r *handler.Run) (handler.Result, error) {
	r.Log = slog.New(slog.DiscardHandler)
	made := handler.New("t", handler.Codec[handler.None, handler.None, handler.None, T]{Result: render},
		func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (T, error) { return v, err })
	return made.Run(ctx, r)
}

// budgetRequest returns a request for a tool with a budget of 1000 bytes and the given output schema.
func budgetRequest(output string) *handler.Run {
	return &handler.Run{Contract: &manifest.Tool{
		Budget: 1000, Output: manifest.Schema(output), Input: manifest.Schema(`{"properties":{"query":{},"limit":{}}}`),
	}}
}

// textOf returns all text of a result, as a JP host reads it.
func textOf(r handler.Result) string {
	text := r.Blocks.Flatten()
	for _, w := range r.Warnings {
		text += "\n\nNote: " + w
	}
	return text
}

func TestBudgetCuts(t *testing.T) {
	paragraph := strings.Repeat("word ", 30) + "end.\n\n"
	structured := handler.Object(encode.Any)
	for name, tc := range map[string]struct {
		run                     func(context.Context, *handler.Run) (handler.Result, error)
		output, text, has, json string
	}{
		"a text ends at a paragraph": {
			run: func(ctx context.Context, r *handler.Run) (handler.Result, error) {
				return runReturning(ctx, handler.Text, strings.Repeat(paragraph, 50), nil, r)
			},
			text: "end.\n\n[Truncated to 1000 bytes: the result has the first 466 of 7800 bytes. To get a complete result, narrow the request: change query, limit.]",
		},
		"blocks are left out": {
			run: func(ctx context.Context, r *handler.Run) (handler.Result, error) {
				var all content.Blocks
				for i := range 20 {
					all = append(all, content.Text{Text: fmt.Sprintf("%02d %s", i, strings.Repeat("x", 97))})
				}
				all[19] = content.Image{Data: make([]byte, 5000), MIMEType: "image/png"}
				return runReturning(ctx, handler.Blocks, append(all, content.Running), nil, r)
			},
			text: "[image/png, 5000 bytes]\n\n[Truncated to 1000 bytes: the result has the first 7 of 21 items. To get a complete result, narrow the request: change query, limit.]",
		},
		"the start of a file": {
			run: func(ctx context.Context, r *handler.Run) (handler.Result, error) {
				return runReturning(ctx, handler.Blocks, content.Blocks{content.File("/w", "a", []byte(strings.Repeat("line\n", 1000)))}, nil, r)
			},
			has: "line\nline\n\n[Truncated to 1000 bytes: the result has the first 584 of 5000 bytes.",
		},
		"a list loses items": {
			run: func(ctx context.Context, r *handler.Run) (handler.Result, error) {
				return runReturning(ctx, structured, any(map[string]any{"hits": manyHits(50), "total": 50}), nil, r)
			},
			has:  `}],"total":50}` + "\n\n[Truncated to 1000 bytes: hits has the first 23 of 50 items.",
			json: `{"id":22,"text":"a hit"}],"total":50}`,
		},
		"an item is cut inside": {
			run: func(ctx context.Context, r *handler.Run) (handler.Result, error) {
				return runReturning(ctx, structured, any(map[string]any{"hits": []any{map[string]any{"id": 1, "text": strings.Repeat("\"é\" ", 2000)}}}), nil, r)
			},
			has:  "hits[0].text has the first ",
			json: ` of 10000 bytes]"}]}`,
		},
		"what means something else after a cut stays": {
			run: func(ctx context.Context, r *handler.Run) (handler.Result, error) {
				return runReturning(ctx, structured, any(map[string]any{"data": strings.Repeat("QUJD", 100), "note": strings.Repeat("n", 900)}), nil, r)
			},
			output: `{"properties":{"data":{"contentEncoding":"base64"},"note":{"type":"string"}}}`,
			has:    "note has the first ", json: `QUJDQUJD","note":"nnnn`,
		},
		"a map loses members": {
			run: func(ctx context.Context, r *handler.Run) (handler.Result, error) {
				m := map[string]any{}
				for i := range 200 {
					m[fmt.Sprintf("name%03d", i)] = i
				}
				return runReturning(ctx, structured, any(m), nil, r)
			},
			output: `{"additionalProperties":{"type":"integer"}}`,
			has:    "the result has the first 46 of 200 items", json: `{"name000":0,"name001":1`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var found []string
			ctx := handler.Rehearse(t.Context(), func(problem string) { found = append(found, problem) })
			r, err := tc.run(ctx, budgetRequest(tc.output))
			if err != nil {
				t.Fatal(err)
			}
			text := textOf(r)
			if len(text) > 1000 || len(r.Structured) > 1000 {
				t.Errorf("%d bytes of text, %d of structured content", len(text), len(r.Structured))
			}
			if !strings.HasSuffix(text, tc.text) || !strings.Contains(text, tc.has) || !strings.Contains(r.Structured, tc.json) {
				t.Errorf("text %q\nstructured %s", text, r.Structured)
			}
			if r.Structured != "" && !json.Valid([]byte(r.Structured)) {
				t.Errorf("%s is not JSON", r.Structured)
			}
			if len(found) != 1 || !strings.Contains(found[0], "over its budget of 1000") {
				t.Errorf("a test is told %q", found)
			}
		})
	}
}

// A link to the whole result is sent only if the result is cut. A cut result with such a link does
// not fail a test.
func TestLinkToTheWhole(t *testing.T) {
	link := content.Link{URI: "note://soup", Name: "soup", Whole: true}
	for name, tc := range map[string]struct {
		text string
		want string
	}{
		"small": {"words", "words"},
		"large": {strings.Repeat("words\n", 1000), "words\n\nsoup <note://soup>\n\n[Truncated to 1000 bytes: the result has the first 557 of 6000 bytes." +
			" For the whole result, read the resource note://soup]"},
	} {
		found := func(problem string) { t.Errorf("%s: %s", name, problem) }
		for form, run := range map[string]func(context.Context) (handler.Result, error){
			"blocks": func(ctx context.Context) (handler.Result, error) {
				return runReturning(ctx, handler.Blocks, content.Blocks{link, content.Text{Text: tc.text}}, nil, budgetRequest(""))
			},
			"with": func(ctx context.Context) (handler.Result, error) {
				return runReturning(ctx, handler.With(handler.Text[string]), content.With[string]{Value: tc.text, Blocks: content.Blocks{link}}, nil, budgetRequest(""))
			},
		} {
			r, err := run(handler.Rehearse(t.Context(), found))
			if err != nil {
				t.Fatal(err)
			}
			if text := textOf(r); !strings.HasSuffix(text, tc.want) || len(text) > 1000 {
				t.Errorf("%s, %s: %q", name, form, text)
			}
		}
	}
}

func manyHits(n int) []any {
	var all []any
	for i := range n {
		all = append(all, map[string]any{"id": i, "text": "a hit"})
	}
	return all
}

func TestBudgetRefuses(t *testing.T) {
	pinned := budgetRequest(`{"properties":{"data":{"contentEncoding":"base64"}}}`)
	_, err := runReturning(t.Context(), handler.Object(encode.Any), any(map[string]any{"data": strings.Repeat("QUJD", 500)}), nil, pinned)
	if want := "internal: the result has 2011 bytes, more than the budget of 1000 bytes, and cannot be truncated; ask for a smaller result"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	long := fault.Wrap(errors.New(strings.Repeat("c", 5000)), fault.NotFound, "%s", strings.Repeat("no note ", 1000))
	long.Details = map[string]any{"near": strings.Repeat("x", 5000)}
	_, err = runReturning(t.Context(), handler.Text, "", error(long), budgetRequest(""))
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.NotFound || len(err.Error()) > 1000 || f.Details != nil || len(f.Trace()) > 0 {
		t.Errorf("a fault of %d bytes: %v", len(err.Error()), err)
	}
	if !strings.HasSuffix(f.Message, "of 8000 bytes]") {
		t.Errorf("the message ends with %q", f.Message)
	}
}

// A cut result matches its schema, even if a value has alternatives or the schema has keywords that
// cutting ignores.
func TestCutMatchesTheSchema(t *testing.T) {
	line := strings.Repeat("x", 97)
	rows := any(map[string]any{"rows": slices.Repeat([]any{line}, 70)})
	for name, tc := range map[string]struct {
		output string
		result any
		fits   bool
	}{
		"enough items":         {`{"properties":{"rows":{"$ref":"#/$defs/rows"}},"$defs":{"rows":{"type":"array","minItems":3}}}`, rows, true},
		"too few items":        {`{"properties":{"rows":{"$ref":"#/$defs/rows"}},"$defs":{"rows":{"type":"array","minItems":9}}}`, rows, false},
		"items or null":        {`{"properties":{"rows":{"anyOf":[{"type":"array","minItems":9},{"type":"null"}]}}}`, rows, false},
		"some items or null":   {`{"properties":{"rows":{"anyOf":[{"type":"array","minItems":3},{"type":"null"}]}}}`, rows, true},
		"members of one case":  {`{"properties":{"at":{"oneOf":[{"type":"object","properties":{"data":{"type":"string","contentEncoding":"base64"}}},{"type":"null"}]}}}`, any(map[string]any{"at": map[string]any{"data": strings.Repeat("QUJD", 500)}}), false},
		"a page":               {`{"properties":{"items":{"type":"array","minItems":3}}}`, nil, true},
		"a page that is short": {`{"properties":{"items":{"type":"array","minItems":9}}}`, nil, false},
	} {
		codec := handler.Codec[handler.None, handler.None, handler.None, any]{Output: tc.output, Result: handler.Object(encode.Any)}
		if tc.result == nil {
			codec.Result = func(any) (handler.Result, error) {
				page := tool.Page[any]{Items: slices.Repeat([]any{line}, 70), After: strconv.Itoa}
				return handler.Structured(encodePage(func(o *encode.Object, v *any) { encode.Field(o, "row", v, encode.Any) }))(page)
			}
		}
		made := handler.New("t", codec, func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (any, error) {
			return tc.result, nil
		})
		r := budgetRequest(tc.output)
		r.Log = slog.New(slog.DiscardHandler)
		result, err := made.Run(t.Context(), r)
		if tc.fits != (err == nil) || err != nil && !strings.HasSuffix(err.Error(), "more than the budget of 1000 bytes, and cannot be truncated; ask for a smaller result") {
			t.Errorf("%s: %v, %s", name, err, result.Structured)
		}
		if tc.fits && strings.Count(result.Structured, line) < 3 {
			t.Errorf("%s: %s", name, result.Structured)
		}
	}
}

func TestWarningsHaveTheirShare(t *testing.T) {
	r := budgetRequest("")
	for i := range 100 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("remark %d", i))
	}
	result, err := runReturning(t.Context(), handler.Text, strings.Repeat("x", 900), nil, r)
	if err != nil || len(textOf(result)) > 1000 || len(result.Warnings) != 15 {
		t.Errorf("%d bytes, %d warnings, %v", len(textOf(result)), len(result.Warnings), err)
	}
}

func FuzzBudget(f *testing.F) {
	seeds := uint64(500)
	if testing.Short() {
		seeds /= 10
	}
	for seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		chance := rand.New(rand.NewPCG(seed, 14))
		r := budgetRequest("")
		r.Contract.Budget += chance.IntN(5000)
		for range chance.IntN(5) {
			r.Remarks = append(r.Remarks, randomText(chance, 200))
		}
		result, err := randomResult(t.Context(), chance, r)
		size := max(len(textOf(result)), len(result.Structured)+len(`{"success":true,"data":}`))
		if err != nil {
			size = len(err.Error())
		}
		if size > r.Contract.Budget {
			t.Errorf("seed %d: %d bytes, budget %d", seed, size, r.Contract.Budget)
		}
		if err == nil && result.Structured != "" && !json.Valid([]byte(result.Structured)) {
			t.Errorf("seed %d: %s is not JSON", seed, result.Structured)
		}
	})
}

func randomResult(ctx context.Context, chance *rand.Rand, r *handler.Run) (handler.Result, error) {
	format := []string{"csv", "markdown"}[chance.IntN(2)]
	switch chance.IntN(8) {
	case 0:
		return runReturning(ctx, handler.Text, randomText(chance, 20000), nil, r)
	case 1:
		return runReturning(ctx, handler.WrappedText, randomText(chance, 20000), nil, r)
	case 2:
		return runReturning(ctx, handler.Text, "", error(fault.New(fault.Conflict, "%s", randomText(chance, 20000))), r)
	case 3:
		return runReturning(ctx, handler.Wrapped(encode.Any), randomValue(chance, 4), nil, r)
	case 4:
		return runReturning(ctx, handler.Object(encode.Any), any(map[string]any{"a": randomValue(chance, 4), "b": randomValue(chance, 3)}), nil, r)
	case 5:
		table := map[string]any{"rows": randomRows(chance), "note": randomText(chance, 500)}
		return runReturning(ctx, handler.With(handler.Table(format, "rows", handler.Object(encode.Any))), content.With[any]{Value: table, Blocks: content.Of(randomText(chance, 2000))}, nil, r)
	case 6:
		page := tool.Page[any]{Items: randomRows(chance), HasMore: true, After: func(i int) string { return randomText(chance, 100) }}
		items := handler.Structured(encodePage(func(o *encode.Object, v *any) { encode.Field(o, "row", v, encode.Any) }))
		return runReturning(ctx, handler.Table(format, "items", items), page, nil, r)
	}
	var blocks content.Blocks
	for range chance.IntN(20) {
		switch chance.IntN(5) {
		case 0:
			blocks = append(blocks, content.Image{Data: make([]byte, 1+chance.IntN(9000)), MIMEType: "image/png"})
		case 1:
			blocks = append(blocks, content.Link{URI: "https://example.com/" + strings.Repeat("p", chance.IntN(900)), Name: randomText(chance, 100) + "."})
		case 2:
			blocks = append(blocks, content.Resource{URI: "urn:r", Text: randomText(chance, 9000), Formatted: randomText(chance, 200), Title: randomText(chance, 200)})
		default:
			blocks = append(blocks, content.Text{Text: randomText(chance, 4000)})
		}
	}
	return runReturning(ctx, handler.Blocks, blocks, nil, r)
}

// randomRows returns one or more objects with random members.
func randomRows(chance *rand.Rand) []any {
	rows := make([]any, 1+chance.IntN(200))
	for i := range rows {
		row := map[string]any{}
		for c := range chance.IntN(6) {
			row[fmt.Sprint("column", c)] = randomText(chance, 60)
		}
		if chance.IntN(50) == 0 {
			row["nested"] = randomValue(chance, 2)
		}
		rows[i] = row
	}
	return rows
}

func randomText(chance *rand.Rand, limit int) string {
	parts := []string{"word ", "\n", "\n\n", "é", "\"\\\"", "\x00", "\xff", "🧸", "<&>", "long" + strings.Repeat("g", 200)}
	part := parts[chance.IntN(len(parts))]
	var b strings.Builder
	for n := chance.IntN(limit + 1); b.Len() < n; {
		if chance.IntN(8) == 0 {
			part = parts[chance.IntN(len(parts))]
		}
		b.WriteString(part)
	}
	return b.String()
}

func randomValue(chance *rand.Rand, depth int) any {
	switch kind := chance.IntN(6); {
	case depth > 0 && kind < 2:
		list := make([]any, chance.IntN(10))
		for i := range list {
			list[i] = randomValue(chance, depth-1)
		}
		return list
	case depth > 0 && kind < 4:
		object := map[string]any{}
		for i := range chance.IntN(8) {
			object[fmt.Sprintf("m%d", i)] = randomValue(chance, depth-1)
		}
		return object
	case kind == 4:
		return chance.Int64N(1 << 50)
	}
	return randomText(chance, 1500)
}
