package breaking

import "testing"

// Each combination of fact and part has exactly one rule.
func TestEveryFactHasARule(t *testing.T) {
	for _, part := range []Part{Input, Output, Question, Option, Resource, Prompt} {
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
