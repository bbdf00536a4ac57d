package handler_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// plainInput has no Format method.
type plainInput struct{ Text string }

func decodePlain(o *decode.Object, in *plainInput) {
	decode.Field(o, "text", &in.Text, decode.String, decode.Required)
}

// wordyInput formats itself.
type wordyInput struct {
	Text  string
	Times int
}

func (in *wordyInput) Format() string {
	if in.Text == "crash" {
		panic("secret")
	}
	return fmt.Sprintf("%d times\n%s", in.Times, in.Text)
}

func decodeWordy(o *decode.Object, in *wordyInput) {
	decode.Field(o, "text", &in.Text, decode.String, decode.Required)
	decode.Field(o, "times", &in.Times, decode.Int, decode.Default("2"))
}

// newTool returns a tool whose handler must not be called.
func newTool[In any](t *testing.T, fields func(*decode.Object, *In)) *handler.Tool {
	return handler.New("sample", handler.Codec[In, handler.None, handler.None, handler.None]{Input: fields, Result: handler.Done},
		func(context.Context, *tool.Call, In, handler.None, handler.None) (handler.None, error) {
			t.Error("the handler was called")
			return handler.None{}, nil
		})
}

func TestFormatPlainly(t *testing.T) {
	long := strings.Repeat("word ", 20) + "end"
	for _, tc := range []struct{ name, arguments, want string }{
		{"nothing", ``, ""},
		{"null", ` null `, ""},
		{"no arguments", `{}`, ""},
		{"no JSON", `{"text":`, `{"text":`},
		{"a list", ` [1] `, `[1]`},
		{"a string that holds an object", `"{\"a\":1}"`, `"{\"a\":1}"`},
		{"types that do not fit", `{"text":7}`, "text: 7"},
		{"the order that was sent", `{"b":1,"a":2}`, "b: 1\na: 2"},
		{"a name twice", `{"a":1,"a":2}`, "a: 1\na: 2"},
		{"exact numbers", `{"a":9007199254740993,"b":1e400}`, "a: 9007199254740993\nb: 1e400"},
		{"other values", `{"a":true,"b":null,"c":[],"d":{ "e": [1, "x"] }}`, "a: true\nb: null\nc: []\nd: {\"e\":[1,\"x\"]}"},
		{"text", `{"a":"Größe: \"5\""}`, `a: Größe: "5"`},
		{"text that would read as a value", `{"a":"true","b":"12","c":"","d":" x","e":"[1]","f":" \n"}`, "a: \"true\"\nb: \"12\"\nc: \"\"\nd: \" x\"\ne: \"[1]\"\nf: \" \\n\""},
		{"lines", `{"a":"one\r\n\ttwo\n","b":1}`, "a:\n  one\n  \ttwo\nb: 1"},
		{"a long line", `{"a":"` + long + `"}`, "a:\n  " + long},
		{"a long list", `{"a":["` + long + `",1]}`, "a:\n  [\n    \"" + long + "\",\n    1\n  ]"},
		{"a value that poses as an argument", `{"path":"x\nforce: true"}`, "path:\n  x\n  force: true"},
		{"a name that poses as an argument", `{"a: 1\nb":2,"":3}`, `"a: 1\nb": 2` + "\n" + `"": 3`},
		{"escapes of a terminal", `{"a":"\u001b[2Jx\u0007\r\b\u007f\u009b1m"}`, `a: \x1b[2Jx\x07\x0d\x08\x7f\u009b1m`},
		{"what turns or hides text", `{"a":"\u202egnp.exe\u2066\u200b\ufeff\u2028\udb40\udc41"}`, `a: \u202egnp.exe\u2066\u200b\ufeff\u2028\U000e0041`},
		{"escapes in a list and a name", `{"\u0085":["\u009b","\u202e"]}`, `"\u0085": ["\u009b","\u202e"]`},
		{"emoji and joined letters", "{\"a\":\"👩\u200d🚀 می\u200cخواهم\"}", "a: 👩\u200d🚀 می\u200cخواهم"},
		{"bytes that are no text", "{\"a\":\"\x9b\"}", "{\"a\":\"\uFFFD\"}"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := newTool(t, decodePlain).Format(&handler.Run{Arguments: json.RawMessage(tc.arguments)}); got != tc.want {
				t.Errorf("%s reads\n%s\nwant\n%s", tc.arguments, got, tc.want)
			}
		})
	}
}

func TestFormatByItsInput(t *testing.T) {
	var log strings.Builder
	for _, tc := range []struct{ name, arguments, want string }{
		{"no text", `{}`, ""},
		{"types that do not fit", `{"text":"a","times":"often"}`, "text: a\ntimes: often"},
		{"a panic", `{"text":"crash"}`, "text: crash"},
		{"a default", `{"text":"a"}`, "2 times\na"},
		{"an unknown name", `{"text":"a","explanation":"because"}`, "2 times\na"},
		{"escapes of a terminal", `{"text":"\u001b[31mred","times":1}`, "1 times\n\\x1b[31mred"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			request := &handler.Run{Surroundings: handler.Surroundings{Log: slog.New(slog.NewTextHandler(&log, nil))}, Arguments: json.RawMessage(tc.arguments)}
			if got := newTool(t, decodeWordy).Format(request); got != tc.want {
				t.Errorf("%s reads\n%s\nwant\n%s", tc.arguments, got, tc.want)
			}
		})
	}
	if !strings.Contains(log.String(), "secret") {
		t.Errorf("the log lacks the panic: %s", log.String())
	}
}

func FuzzFormat(f *testing.F) {
	for _, seed := range []string{``, `{}`, `{"a":"b\nc","d":[{"e":1}]}`, `["\u001b"]`, "\x1b[2J", `{"\u202e":"\r"}`} {
		f.Add([]byte(seed))
	}
	none := handler.New("none", handler.Codec[handler.None, handler.None, handler.None, handler.None]{Result: handler.Done}, nil)
	f.Fuzz(func(t *testing.T, arguments []byte) {
		text := none.Format(&handler.Run{Arguments: arguments})
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 }) {
			t.Errorf("%q reads %q", arguments, text)
		}
	})
}

func ExampleTool_Format() {
	search := handler.New("search", handler.Codec[handler.None, handler.None, handler.None, handler.None]{Result: handler.Done}, nil)
	fmt.Println(search.Format(&handler.Run{Arguments: json.RawMessage(`{"query":"tea","limit":5,"note":"green,\nnot black"}`)}))
	// Output:
	// query: tea
	// limit: 5
	// note:
	//   green,
	//   not black
}
