package terminal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

func TestValue(t *testing.T) {
	for _, tc := range []struct{ schema, typed, want string }{
		{`{"type":"boolean"}`, "maybe\nYes\n", `true`},
		{`{"type":"boolean","default":true}`, "\n", `true`},
		{`{"type":"string"}`, "no\n", `"no"`},
		{`{"type":"string","default":"x"}`, "\n", `"x"`},
		{`{"type":"string","minLength":2}`, "a\nab\n", `"ab"`},
		{`{"type":"integer"}`, "1.5\n9007199254740993\n", `9007199254740993`},
		{`{"type":"number","maximum":3}`, "4\n2.50\n", `2.50`},
		{`{"type":"string","enum":["a","b"]}`, "3\n2\n", `"b"`},
		{`{"type":"string","enum":["2","1"]}`, "2\n", `"2"`}, // a value has priority over a position
		{`{"oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}`, "green\n", `"g"`},
		{`{"enum":[1,true,null]}`, "3\n", `null`},
		{`{"type":"array","items":{"type":"string","enum":["a","b"]}}`, "c\na, 2\n", `["a","b"]`},
		{`{"type":"array","items":{"type":"integer"}}`, "[1,2]\n", `[1,2]`},
		{`{"type":["integer","null"]}`, "null\n", `null`},
		{`{"type":"string"}`, "the last line has no end", `"the last line has no end"`},
	} {
		asker := NewAsker(strings.NewReader(tc.typed), io.Discard)
		got, err := asker.Value(t.Context(), "What?", shape.Read(jsontext.Value(tc.schema)), true)
		if err != nil || string(got) != tc.want {
			t.Errorf("%s, typed %q: %s, %v; want %s", tc.schema, tc.typed, got, err, tc.want)
		}
	}
}

func TestNoAnswer(t *testing.T) {
	word := shape.Read(jsontext.Value(`{"type":"integer"}`))
	if _, err := NewAsker(strings.NewReader(""), io.Discard).Value(t.Context(), "What?", word, true); !errors.Is(err, ErrCanceled) {
		t.Errorf("the end of the input: %v", err)
	}
	if _, err := NewAsker(strings.NewReader(strings.Repeat("x\n", 100)), io.Discard).Value(t.Context(), "What?", word, true); !errors.Is(err, ErrCanceled) {
		t.Errorf("answers that never fit: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, typist := io.Pipe()
	defer func() { _ = typist.Close() }()
	if _, err := NewAsker(in, io.Discard).Value(ctx, "What?", word, true); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ends: %v", err)
	}
}

func TestForm(t *testing.T) {
	form := shape.Read(jsontext.Value(`{"type":"object","required":["b"],"properties":{
		"b":{"type":"string","title":"Bee"},"a":{"type":"integer","description":"Optional."},"c":{"type":"boolean","default":false}}}`))
	var out bytes.Buffer
	got, err := NewAsker(strings.NewReader("\nx\n\n\n"), &out).Form(t.Context(), "Fill \x1b[31min\u202e.", form)
	if err != nil || string(got) != `{"b":"x","c":false}` {
		t.Errorf("%s, %v", got, err)
	}
	if text := out.String(); !strings.HasPrefix(text, "Fill in\\u{202e}.\nBee\n") || !strings.Contains(text, "a: Optional.\n(integer, optional) > ") {
		t.Errorf("asked as\n%s", text)
	}
}
