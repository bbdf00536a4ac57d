package measure

import "testing"

func TestSample(t *testing.T) {
	tests := []struct {
		sample      Sample
		median, min float64
	}{
		{nil, 0, 0},
		{Sample{4}, 4, 4},
		{Sample{9, 1, 5}, 5, 1},
		{Sample{9, 100, 5, 7, 6}, 7, 5},
	}
	for _, test := range tests {
		if got := test.sample.Median(); got != test.median {
			t.Errorf("the median of %v is %v, not %v", test.sample, got, test.median)
		}
		if got := test.sample.Min(); got != test.min {
			t.Errorf("the minimum of %v is %v, not %v", test.sample, got, test.min)
		}
	}
}
