package breaking

import (
	"strings"
	"testing"
)

// A message about long values contains the part that differs, and has balanced quotation marks.
func TestDescribeLongValues(t *testing.T) {
	long := strings.Repeat("same\n", 40)
	for _, tc := range []struct {
		from, to any
		want     string
	}{
		{"a", "b", `was "a" and is now "b"`},
		{nil, strings.Repeat("\n", 81), `is now "` + strings.Repeat(`\n`, 80) + `…"`},
		{long + "old", long + "new", `was "…` + strings.Repeat(`same\n`, 8) + `old" and is now "…` + strings.Repeat(`same\n`, 8) + `new"`},
		{long, long + "more", `was "…` + strings.Repeat(`same\n`, 8) + `" and is now "…` + strings.Repeat(`same\n`, 8) + `more"`},
		{[]any{long, 1}, []any{long, 2}, `was …\n` + strings.Repeat(`same\n`, 6) + `",1] and is now …`},
	} {
		if got := describeChange(tc.from, tc.to); !strings.HasPrefix(got, tc.want) || strings.HasSuffix(tc.want, `"`) && got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	}
}
