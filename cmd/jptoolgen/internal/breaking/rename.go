package breaking

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// A candidate is a removed or added item, such as a tool or a property. A removed item may have been renamed to
// an added one.
type candidate struct {
	name        string
	description string
	shape       string // the structure without descriptions
	letters     []uint16
	added       string // the rule for an addition; "" means the rule for the kind of the item
}

// maxPairs is the maximum number of pairs that are compared. If there are more, the server is considered a new one in
// which nothing was renamed.
const maxPairs = 1 << 20

// maxGuesses is the maximum number of candidates for one old name.
const maxGuesses = 8

// pairs returns the new name of each item that seems to have been renamed. The most similar pairs are chosen
// first, and each name is used once. A likeness of zero means that two items are unrelated.
func pairs(gone, more []candidate, likeness func(x, y *candidate) float64) map[string]string {
	if len(gone)*len(more) > maxPairs {
		return nil
	}
	short := map[string]string{} // short names for shapes, because comparing up to a million pairs of long texts is slow
	for _, list := range [][]candidate{gone, more} {
		for i := range list {
			n := &list[i]
			n.letters = bigrams(n.name)
			if short[n.shape] == "" {
				short[n.shape] = strconv.Itoa(len(short) + 1)
			}
			n.shape = short[n.shape]
		}
	}
	type pair struct {
		from, to string
		likeness float64
	}
	var all []pair
	best := func(x, y pair) int {
		return cmp.Or(cmp.Compare(y.likeness, x.likeness), strings.Compare(x.from, y.from), strings.Compare(x.to, y.to))
	}
	for i := range gone {
		start := len(all)
		for j := range more {
			p := pair{gone[i].name, more[j].name, likeness(&gone[i], &more[j])}
			if p.likeness == 0 {
				continue
			}
			if last := len(all) - 1; len(all)-start == maxGuesses {
				if best(all[last], p) < 0 {
					continue
				}
				all = all[:last]
			}
			at, _ := slices.BinarySearchFunc(all[start:], p, best)
			all = slices.Insert(all, start+at, p)
		}
	}
	slices.SortFunc(all, best)
	to, taken := map[string]string{}, map[string]bool{}
	for _, p := range all {
		if to[p.from] == "" && !taken[p.to] {
			to[p.from], taken[p.to] = p.to, true
		}
	}
	return to
}

// itemSimilarity returns a positive number if two items have the same description, or similar names. The parameters
// are the minimum similarities of the names: same is for items with the same shape, and other is for items with
// different shapes.
func itemSimilarity(x, y *candidate, same, other float64) float64 {
	l, least := similarity(x.letters, y.letters), other
	if x.shape == y.shape {
		least = same
	}
	switch {
	case x.description != "" && x.description == y.description:
		return 1 + l
	case l >= least:
		return l
	}
	return 0
}

// propertyLikeness considers only properties with the same shape.
func propertyLikeness(x, y *candidate) float64 {
	if x.shape != y.shape {
		return 0
	}
	return itemSimilarity(x, y, 0.5, 0.5)
}

// zeroLikeness is for items that are identified by their names, such as error codes, and thus cannot be renamed.
func zeroLikeness(*candidate, *candidate) float64 { return 0 }

// similarity returns the share of bigrams that two names have in common, from 0 to 1 (Sørensen–Dice
// coefficient).
func similarity(a, b []uint16) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	shared, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			shared++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return float64(2*shared) / float64(len(a)+len(b))
}

// maxCompared is the maximum number of characters of a name that are compared.
const maxCompared = 64

// bigrams returns the pairs of adjacent letters in a name, sorted. It ignores case and separators.
func bigrams(name string) []uint16 {
	var letters [maxCompared]byte
	n := 0
	for i := 0; i < len(name) && n < maxCompared; i++ {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			letters[n] = c + 'a' - 'A'
			n++
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c >= 0x80:
			letters[n] = c
			n++
		}
	}
	var all []uint16
	for i := 1; i < n; i++ {
		all = append(all, uint16(letters[i-1])<<8|uint16(letters[i]))
	}
	slices.Sort(all)
	return all
}

// structure returns a schema as text, without the keywords in shape.Annotations.
func structure(s node) string {
	data, err := json.Marshal(shape.Bare(s, shape.Annotations))
	if err != nil {
		return ""
	}
	return string(data)
}
