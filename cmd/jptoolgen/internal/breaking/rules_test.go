package breaking

import "testing"

// Each fact about each part has exactly one rule. Otherwise a difference would have no rule, or two.
func TestEveryFactHasARule(t *testing.T) {
	for _, part := range []Part{Input, Output, Question, Option} {
		count := map[fact]int{}
		for _, r := range Rules() {
			if r.Part == part {
				for _, f := range r.facts {
					count[f]++
				}
			}
		}
		for f := added; f <= reworded; f++ {
			if count[f] != 1 {
				t.Errorf("%s: fact %d has %d rules", part, f, count[f])
			}
		}
	}
}
