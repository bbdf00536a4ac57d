package terminal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
		{`{"type":"string","enum":["2","1"]}`, "2\n", `"2"`}, // a value takes precedence over a position
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
		t.Errorf("end of input: got %v", err)
	}
	if _, err := NewAsker(strings.NewReader(strings.Repeat("x\n", 100)), io.Discard).Value(t.Context(), "What?", word, true); !errors.Is(err, ErrCanceled) {
		t.Errorf("only invalid answers: got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, typist := io.Pipe()
	defer func() { _ = typist.Close() }()
	if _, err := NewAsker(in, io.Discard).Value(ctx, "What?", word, true); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled context: got %v", err)
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
		t.Errorf("the prompt is\n%s", text)
	}
}

// A long list of choices is printed in parts. Input that is not a choice is used as a search term.
func TestLongLists(t *testing.T) {
	var names []string
	for i := range 10_000 {
		names = append(names, fmt.Sprintf("item %c-%d", 'a'+i%26, i))
	}
	values, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ schema, typed, want, shows string }{
		{`{"enum":%s}`, ":more\n21\n", `"item u-20"`, "  40. item n-39\n  … and 9960 more."},
		{`{"enum":%s}`, "L-999\n10000\n", `"item p-9999"`, "  1000. item l-999\n"},
		{`{"enum":%s}`, "l-999\n" + strings.Repeat("none\n", tries-1) + "1000\n", `"item l-999"`, "No choice contains \"none\"."},
		{`{"type":"array","items":{"enum":%s}}`, "b-1\n2,item b-1\n", `["item b-1","item b-1"]`, "  2. item b-1\n  "},
		{`{"enum":%s,"default":"item a-0"}`, ":decline\n", ``, "  20. item t-19\n  … and 9980 more. Type :more"},
	} {
		var out bytes.Buffer
		got, err := NewAsker(strings.NewReader(tc.typed), &out).Value(t.Context(), "What?", shape.Read(jsontext.Value(fmt.Sprintf(tc.schema, values))), true)
		if string(got) != tc.want || errors.Is(err, ErrDeclined) != (tc.want == "") {
			t.Errorf("typed %q: %s, %v; want %s", tc.typed, got, err, tc.want)
		}
		if text := out.String(); !strings.Contains(text, tc.shows) || len(text) > 10_000 {
			t.Errorf("typed %q: the output has %d bytes, want fewer with %q:\n%.1000s", tc.typed, len(text), tc.shows, text)
		}
	}
}
