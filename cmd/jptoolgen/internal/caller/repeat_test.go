package caller

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// A generated command line is parsed into the object that it was generated from.
func TestAssignments(t *testing.T) {
	s := shape.Read(jsontext.Value(`{"additionalProperties":true,"properties":{"text":{"type":"string"},"n":{"type":"integer"},"b":{"type":"boolean"},
		"any":{},"list":{"type":"array","items":{"type":"string"}},"o":{"type":"object"},"key":{"type":"string","writeOnly":true},"e":{"enum":["a","b"]}}}`))
	for object, want := range map[string]string{
		`{"text":"two words","n":7,"b":true}`:       `b=true n=7 text=two words`,
		`{"text":"@file"}`:                          `text:="@file"`,
		`{"text":"x` + "\u202e" + `y"}`:             `text:="x\u202ey"`,
		`{"n":9007199254740993}`:                    `n=9007199254740993`,
		`{"n":"7"}`:                                 `n:="7"`,
		`{"any":"7"}`:                               `any:="7"`,
		`{"any":7,"list":["a","b"],"o":{"x":null}}`: `any=7 list:=["a","b"] o:={"x":null}`,
		`{"e":"b","other":"x"}`:                     `e=b other:="x"`,
	} {
		words := Assignments(jsontext.Value(object), &s)
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%s: %s, want %s", object, got, want)
		}
		var list []shape.Assignment
		for _, word := range words {
			a, err := shape.Assign(word, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, a)
		}
		again, err := s.Arguments("t", list, nil)
		meant := jsontext.Value(object)
		if err != nil || meant.Canonicalize() != nil || again.Canonicalize() != nil || string(again) != string(meant) {
			t.Errorf("%s: %v is parsed to %s, %v", object, words, again, err)
		}
	}
	if got := Assignments(jsontext.Value(`{"key":"s3cret"}`), &s); !slices.Equal(got, []string{"key=…"}) {
		t.Errorf("a secret: %v", got)
	}
}

func TestRepeat(t *testing.T) {
	boolean, text := shape.Schema{Types: []string{"boolean"}}, shape.Schema{Types: []string{"string"}}
	for _, tt := range []struct {
		q           Question
		value, want string
	}{
		{Question{ID: "pay", Schema: boolean}, `true`, `pay=true`},
		{Question{Schema: text}, `"x"`, `answer=x`},
		{Question{ID: "to", Form: true, Schema: shape.Read(jsontext.Value(`{"properties":{"street":{"type":"string"}}}`))}, `{"street":"Main"}`, `to:={"street":"Main"}`},
		{Question{ID: "login", Text: "Your password?", Schema: text}, `"hunter2"`, ``},
	} {
		if got := tt.q.Repeat(jsontext.Value(tt.value)); got != tt.want {
			t.Errorf("%s to %+v: %q, want %q", tt.value, tt.q, got, tt.want)
		}
	}
}
