package index

import "strings"

// nearest returns the most similar of several names, "" if each has more than one mistake per three characters. A
// mistake is a missing, an extra or a wrong byte.
func nearest(name string, among []string) string {
	const longest = 64
	name = strings.ToLower(name)
	best, least := "", len(name)/3+1
	for _, other := range among {
		if len(other) > longest || len(other)-len(name) >= least || len(name)-len(other) >= least {
			continue
		}
		if d := distance(name, strings.ToLower(other)); d < least {
			best, least = other, d
		}
	}
	return best
}

// distance returns the number of mistakes between two names (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			wrong := diagonal
			if a[i] != b[j] {
				wrong++
			}
			diagonal = row[j+1]
			row[j+1] = min(wrong, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
