package phrase

import (
	"strings"
	"unicode"
)

// maxNear is the maximum length of names that are compared by edit distance.
const maxNear = 64

// Nearest returns the most similar of several names, or the first of equally similar ones.
// Names that are equal except for case, underscores, dashes, dots and spaces are the most
// similar. Other names are similar if there is at most one mistake per three characters, or if
// only the endings differ, as in query and queries. In names of several words, the same limit also
// applies to each word. A mistake is a missing, extra or wrong character, or two swapped characters.
func Nearest(name string, among []string) (string, bool) {
	if len(name) > 4*maxNear {
		return "", false
	}
	sent := letters(name)
	best, least := "", maxNear+1
	for _, candidate := range among {
		if candidate == name || len(candidate) > 4*maxNear {
			continue
		}
		other := letters(candidate)
		d := distance(sent, other)
		if stem := min(len(sent), len(other)); d > stem/3 && d <= 3 && sameStem(sent, other) {
			d = 1
		}
		if d < least && d <= max(len(sent), len(other))/3 && (d == 0 || sameWords(name, candidate)) {
			best, least = candidate, d
		}
	}
	return best, least <= maxNear
}

// sameWords reports whether each word of a name is similar to the word at the same position in
// the other: note_read is not similar to note_create. It does not compare names with different
// numbers of words, and returns true for them.
func sameWords(a, b string) bool {
	apart := func(r rune) bool { return strings.ContainsRune("_-. ", r) }
	one, other := strings.FieldsFunc(a, apart), strings.FieldsFunc(b, apart)
	if len(one) != len(other) || len(one) == 1 {
		return true
	}
	for i := range one {
		x, y := letters(one[i]), letters(other[i])
		if distance(x, y) > (max(len(x), len(y))+1)/3 && !sameStem(x, y) {
			return false
		}
	}
	return true
}

// sameStem reports whether two words share all but the last letter of the shorter one, which
// must have at least four letters.
func sameStem(a, b []rune) bool {
	n := min(len(a), len(b))
	return n >= 4 && string(a[:n-1]) == string(b[:n-1])
}

// letters removes the differences between spellings of a name.
func letters(name string) []rune {
	return []rune(strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', '.', ' ':
			return -1
		}
		return unicode.ToLower(r)
	}, name))
}

// distance returns the optimal string alignment distance, or a value above maxNear for long
// strings that differ.
func distance(a, b []rune) int {
	if string(a) == string(b) {
		return 0
	}
	if len(a) > maxNear || len(b) > maxNear {
		return maxNear + 1
	}
	var rows [3][maxNear + 1]int
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		row, above, twoAbove := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			wrong := 1
			if a[i-1] == b[j-1] {
				wrong = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+wrong)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], twoAbove[j-2]+1)
			}
		}
	}
	return rows[len(a)%3][len(b)]
}
