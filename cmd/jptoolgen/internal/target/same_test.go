package target

import "testing"

func TestSameSchemas(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{`{"description":"a >=1, <2 & b"}`, `{"description":"a \u003e=1, \u003c2 \u0026 b"}`, true},
		{`{"type":"string","minLength":1}`, `{"minLength": 1, "type": "string"}`, true},
		{`{"maximum":1.50}`, `{"maximum":1.5}`, true},
		{`{"enum":["a","b"]}`, `{"enum":["b","a"]}`, false},
		{`{"maximum":9007199254740993}`, `{"maximum":9007199254740992}`, false},
		{`{"description":"<"}`, `{"description":">"}`, false},
		{`{`, `{`, false},
	} {
		if got := equalSchemas([]byte(tc.a), []byte(tc.b)); got != tc.want {
			t.Errorf("same(%s, %s) = %t", tc.a, tc.b, got)
		}
	}
}
