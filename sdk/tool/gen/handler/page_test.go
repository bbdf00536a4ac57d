package handler_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/encode"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/seal"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

type entry struct {
	ID   int    `json:"id"`
	Body string `json:"text"`
}

// A textEntry is an entry that provides its own text.
type textEntry entry

func (e textEntry) Text() string { return fmt.Sprintf("#%d %s", e.ID, e.Body) }

func encodeEntry(o *encode.Object, v *entry) {
	encode.Field(o, "id", &v.ID, encode.Int)
	encode.Field(o, "text", &v.Body, encode.String)
}

func encodePage[T any](item func(*encode.Object, *T)) func(*encode.Object, *tool.Page[T]) {
	return func(o *encode.Object, v *tool.Page[T]) {
		encode.Field(o, "items", &v.Items, encode.List[[]T](encode.Struct(item)))
		encode.Field(o, "has_more", &v.HasMore, encode.Bool)
		encode.Omit(o, v.NextCursor == "", "next_cursor", &v.NextCursor, encode.String)
		encode.Omit(o, v.Total == 0, "total", &v.Total, encode.Int)
	}
}

type pageInput struct {
	Cursor tool.Cursor `json:"cursor,omitempty"`
}

type pageCodec[T any] = handler.Codec[pageInput, handler.None, handler.None, tool.Page[T]]

func decodePageInput(o *decode.Object, in *pageInput) {
	decode.Field(o, "cursor", &in.Cursor, decode.String)
}

// pages returns a tool that lists items in pages of at most limit items.
func pages[T any](items []T, limit int, item func(*encode.Object, *T)) *handler.Tool {
	return pagedTool(items, limit, handler.Structured(encodePage(item)))
}

func pagedTool[T any](items []T, limit int, render func(tool.Page[T]) (handler.Result, error)) *handler.Tool {
	return handler.New("list", pageCodec[T]{Input: decodePageInput, Result: render},
		func(_ context.Context, _ *tool.Call, in pageInput, _, _ handler.None) (tool.Page[T], error) {
			begin := 0
			if in.Cursor != "" {
				if _, err := fmt.Sscan(string(in.Cursor), &begin); err != nil {
					return tool.Page[T]{}, err
				}
			}
			end := min(len(items), begin+limit)
			return tool.Page[T]{
				Items: items[begin:end], HasMore: end < len(items), Total: len(items),
				After: func(i int) string { return fmt.Sprint(begin + i + 1) },
			}, nil
		})
}

// FuzzPages reads lists of random items page by page. Each item is on exactly one page, and each
// page is within the budget.
func FuzzPages(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		chance := rand.New(rand.NewPCG(seed, 15))
		var entries []entry
		var textEntries []textEntry
		for i := range chance.IntN(60) {
			e := entry{i, randomText(chance, []int{10, 100, 3000}[chance.IntN(3)])}
			entries, textEntries = append(entries, e), append(textEntries, textEntry(e))
		}
		made, limit := pages(entries, 1+chance.IntN(40), encodeEntry), 1000+chance.IntN(3000)
		switch chance.IntN(4) {
		case 0:
			made = pagedTool(entries, 1+chance.IntN(40), handler.Table("csv", "items", handler.Structured(encodePage(encodeEntry))))
		case 1:
			made = pagedTool(entries, 1+chance.IntN(40), handler.Table("markdown", "items", handler.Structured(encodePage(encodeEntry))))
		case 2:
			made = pages(textEntries, 1+chance.IntN(40), func(o *encode.Object, v *textEntry) { encodeEntry(o, (*entry)(v)) })
		}
		var ids []int
		arguments := "{}"
		for range len(entries) + 1 {
			r := budgetRequest(`{"properties":{"next_cursor":{}}}`)
			r.Contract.Budget, r.Arguments, r.Log = limit, json.RawMessage(arguments), slog.New(slog.DiscardHandler)
			result, err := made.Run(t.Context(), r)
			var page struct {
				Items []entry
				Next  string `json:"next_cursor"`
			}
			if err != nil || json.Unmarshal([]byte(result.Structured), &page) != nil {
				t.Fatalf("seed %d: %v: %s", seed, err, result.Structured)
			}
			if size := max(len(textOf(result)), len(result.Structured)); size > limit {
				t.Fatalf("seed %d: %d bytes, budget %d", seed, size, limit)
			}
			for _, e := range page.Items {
				ids = append(ids, e.ID)
			}
			if page.Next == "" {
				break
			}
			if want := fmt.Sprintf("and cursor %q.]", page.Next); !strings.HasSuffix(result.Blocks.Flatten(), want) {
				t.Fatalf("seed %d: %s does not end with %s", seed, result.Blocks.Flatten(), want)
			}
			arguments = fmt.Sprintf(`{"cursor":%q}`, page.Next)
		}
		if len(ids) != len(entries) || !slices.IsSorted(ids) || len(slices.Compact(ids)) != len(entries) {
			t.Errorf("seed %d: %d entries were seen as %v", seed, len(entries), ids)
		}
	})
}

func TestTextOfAPage(t *testing.T) {
	items := []textEntry{{1, "tea"}, {2, "milk"}, {3, "ice"}}
	made := pages(items, 2, func(o *encode.Object, v *textEntry) { encodeEntry(o, (*entry)(v)) })
	r, err := made.Run(t.Context(), &handler.Run{})
	const want = "#1 tea\n#2 milk\n\n[2 of 3 items. For the next page, call again with the same arguments and cursor \"2\".]"
	if err != nil || r.Blocks.Flatten() != want {
		t.Errorf("%q, %v", r.Blocks.Flatten(), err)
	}
}

// Models may send the arguments of a call as a string.
func TestCursorInAString(t *testing.T) {
	ring := seal.NewRing()
	rules := &handler.Rules{Server: "test", Cursors: func() handler.Marker { return ring }}
	list, cursor := pages([]entry{{ID: 1}, {ID: 2}, {ID: 3}}, 1, encodeEntry), ""
	for i, arguments := range []string{`"{}"`, `"{\"cursor\":\"%s\"}"`, `{"cursor":"%s"}`} {
		r := budgetRequest(`{}`)
		r.Rules, r.Arguments = rules, json.RawMessage(strings.Replace(arguments, "%s", cursor, 1))
		result, err := list.Run(t.Context(), r)
		var page tool.Page[entry]
		if err != nil || json.Unmarshal([]byte(result.Structured), &page) != nil || page.Items[0].ID != i+1 {
			t.Fatalf("page %d: %s, %v", i+1, result.Structured, err)
		}
		cursor = string(page.NextCursor)
	}
}

func TestPagesThatCannotGoOn(t *testing.T) {
	for want, p := range map[string]tool.Page[entry]{
		"a page with a nil After function; set After to a function that returns the position of an item": {Items: []entry{{}}},
		"an empty page with HasMore set; return at least one item, or set HasMore to false":              {HasMore: true},
	} {
		_, err := runReturning(t.Context(), handler.Structured(encodePage(encodeEntry)), p, nil, &handler.Run{})
		if fault.CodeOf(err) != fault.Internal || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A Go program that calls the tool gets the cursor in the form in which it sends it back.
func TestPageInProcess(t *testing.T) {
	codec := pageCodec[entry]{Input: decodePageInput, Result: handler.Structured(encodePage(encodeEntry))}
	list := handler.New("list", codec, func(_ context.Context, _ *tool.Call, in pageInput, _, _ handler.None) (tool.Page[entry], error) {
		return tool.Page[entry]{Items: []entry{{ID: 1}}, HasMore: true, After: func(int) string { return "after " + string(in.Cursor) }}, nil
	})
	p, err := handler.Invoke[tool.Page[entry]](t.Context(), list, pageInput{Cursor: "7"}, handler.None{}, question.Asker{})
	if err != nil || p.NextCursor != "after 7" {
		t.Errorf("%+v, %v", p, err)
	}
}

type basicFields struct {
	Basic tool.Fields `json:"basic,omitempty"`
}

type choiceInput struct {
	*basicFields
	More tool.Fields `json:"more,omitempty"`
}

// The first argument of type Fields is behind a pointer, which is nil unless the caller sends the argument.
func TestTwoFieldsArguments(t *testing.T) {
	names := decode.List[[]string](decode.String)
	c := handler.Codec[choiceInput, handler.None, handler.None, tool.Page[entry]]{
		Input: func(o *decode.Object, in *choiceInput) {
			var basic []string
			decode.Field(o, "basic", &basic, names)
			if basic != nil {
				in.basicFields = &basicFields{basic}
			}
			decode.Field(o, "more", (*[]string)(&in.More), names)
		},
		Result: handler.Structured(encodePage(encodeEntry)), List: "items",
	}
	list := handler.New("list", c, func(context.Context, *tool.Call, choiceInput, handler.None, handler.None) (tool.Page[entry], error) {
		return tool.Page[entry]{Items: []entry{{ID: 1, Body: "a"}}, After: func(int) string { return "1" }}, nil
	})
	for arguments, item := range map[string]string{
		`{}`:                               `{"id":1,"text":"a"}`,
		`{"basic":["id"]}`:                 `{"id":1}`,
		`{"more":["text"]}`:                `{"text":"a"}`,
		`{"basic":["id"],"more":["text"]}`: `{"id":1,"text":"a"}`,
	} {
		r, err := list.Run(t.Context(), &handler.Run{Arguments: json.RawMessage(arguments)})
		if want := `{"items":[` + item + `],"has_more":false}`; err != nil || r.Structured != want {
			t.Errorf("%s: %s, %v, want %s", arguments, r.Structured, err, want)
		}
	}
}
