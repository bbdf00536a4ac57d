package schema

import "testing"

// A description that only repeats the value costs tokens and adds no information.
func TestLegend(t *testing.T) {
	for _, tc := range []struct {
		values []Value
		want   string
	}{
		{[]Value{{Name: "note", Description: "A note."}, {Name: "full_patch", Description: "The full patch."}}, ""},
		{[]Value{{Name: "merge", Description: "By merge."}, {Name: "squash", Description: "As said above."}}, ""},
		{[]Value{{Name: "low", Description: "It can\nwait."}, {Name: "high", Description: "Is high."}}, "\n- low: It can wait."},
		{[]Value{{Name: "a"}, {Name: "b", Description: "Not a."}}, "\n- b: Not a."},
	} {
		if got := (&Shape{Kind: Enum, Set: ClosedSet, Values: tc.values}).legend(); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.values, got, tc.want)
		}
	}
}
