package rawjson_test

import (
	"testing"

	"github.com/jptool/jptool/internal/rawjson"
)

func TestMembers(t *testing.T) {
	for object, want := range map[string]string{
		`{}`:                       ``,
		` {"b":1, "a":[2] ,"b":3}`: `b=1 a=[2] b=3 `,
		`{"<\n":"\u00e4"}`:         "<\n=\"\\u00e4\" ",
	} {
		list, err := rawjson.Members([]byte(object))
		got := ""
		for _, m := range list {
			got += m.Name + "=" + string(m.Value) + " "
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", object, got, err, want)
		}
	}
	for _, bad := range []string{``, `{`, `{"a"}`, `{"a":1`, `[1]`, `7`, `{} {}`} {
		if list, err := rawjson.Members([]byte(bad)); err == nil {
			t.Errorf("%s has members %v", bad, list)
		}
	}
}

func TestDepth(t *testing.T) {
	for text, want := range map[string]int{`7`: 0, `{}`: 1, `[{"a":[]},[]]`: 3, `"[[\"[["`: 0} {
		if got := rawjson.Depth([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func TestArrayAndGet(t *testing.T) {
	parts := rawjson.Parts([]byte(`[1, {"a":2}]`))
	if got := rawjson.Array(parts); string(got) != `[1,{"a":2}]` {
		t.Errorf("%s", got)
	}
	if got := rawjson.Array(nil); string(got) != `[]` {
		t.Errorf("%s", got)
	}
	if got := rawjson.Get(parts[1].Value, "a"); string(got) != "2" {
		t.Errorf("%s", got)
	}
	if got := rawjson.Get(parts[1].Value, "b"); got != nil {
		t.Errorf("%s", got)
	}
}

func TestEncode(t *testing.T) {
	value := map[string]string{"a": "<&>"}
	if got, err := rawjson.Encode(value); err != nil || string(got) != `{"a":"<&>"}` {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := rawjson.EncodeIndented(value); err != nil || string(got) != "{\n  \"a\": \"<&>\"\n}\n" {
		t.Errorf("%s, %v", got, err)
	}
	if got := rawjson.Quote("<\"\xff"); string(got) != `"<\"`+"\uFFFD"+`"` {
		t.Errorf("%s", got)
	}
}

func TestReplace(t *testing.T) {
	for _, tc := range [][2]string{
		{`{"a": 1, "b":{"a":2}}`, `{"a":true,"b":{"a":2}}`},
		{`{"b":1}`, `{"b":1}`},
		{`{}`, `{}`},
	} {
		if got := rawjson.Replace([]byte(tc[0]), "a", []byte("true")); string(got) != tc[1] {
			t.Errorf("Replace(%s) = %s, want %s", tc[0], got, tc[1])
		}
	}
}
