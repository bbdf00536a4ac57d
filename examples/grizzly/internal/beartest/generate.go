package beartest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Rare is a word that occurs in exactly one of a hundred generated notes.
const Rare = "xylophone"

// Generate creates a library of n notes at path. The library is the same in every run. A note has
// about 900 bytes of text and one to three of fifty tags. Some notes are in the trash or archived,
// and some titles are repeated. The directory must exist, and the file must not exist.
func Generate(path string, layout Layout, n int) error {
	l, err := New(path, layout)
	if err != nil {
		return err
	}
	g := generator{rand.New(rand.NewPCG(1, 2)), strings.Fields(vocabulary)}
	const batch = 1000
	notes := make([]Note, 0, batch)
	for i := range n {
		notes = append(notes, g.note(i))
		if len(notes) == batch || i == n-1 {
			if err := l.Add(notes...); err != nil {
				_ = l.Close() // the error from Add is more useful
				return err
			}
			notes = notes[:0]
		}
	}
	return l.Close()
}

type generator struct {
	rand  *rand.Rand
	words []string
}

func (g generator) note(i int) Note {
	title := g.phrase(2) + fmt.Sprintf(" %d", g.rand.IntN(500))
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n\n", title)
	for line := 0; text.Len() < 900; line++ {
		text.WriteString(g.phrase(6 + g.rand.IntN(10)))
		if line == 3 && i%100 == 50 {
			text.WriteString(" " + Rare)
		}
		text.WriteString(".\n")
	}
	tags := []string{fmt.Sprintf("area/%d", g.rand.IntN(10)), "area"}
	if g.rand.IntN(2) == 0 {
		tags = append(tags, fmt.Sprintf("topic %d", g.rand.IntN(40)))
	}
	return Note{
		ID: fmt.Sprintf("%08X-0000-4000-8000-%012X", i, g.rand.Uint64()&0xffffffffffff), Title: title, Text: text.String(),
		Modified: Day(0).Add(time.Duration(g.rand.IntN(1e8)) * time.Second),
		Tags:     tags, Trashed: i%25 == 24, Archived: i%40 == 39,
	}
}

// phrase returns n words. Common words occur more often.
func (g generator) phrase(n int) string {
	picked := make([]string, n)
	for i := range picked {
		f := g.rand.Float64()
		w := g.words[int(f*f*float64(len(g.words)))]
		if f > 0.5 { // most words of a language are rare
			w += g.words[g.rand.IntN(len(g.words))]
		}
		picked[i] = w
	}
	return strings.Join(picked, " ")
}

const vocabulary = `the and of to in is it that for on with as was be by at this from or an
water light river garden kitchen bread stone paper window table summer winter morning evening market
train letter music colour bridge forest island mountain harbour village station corner picture story
answer question reason method number season weather shadow silver copper iron basil tomato pepper onion
carrot cabbage potato flour butter sugar honey lemon apple cherry walnut saucepan recipe supper picnic
cluster server network kernel memory thread socket packet router gateway volume backup restore deploy
release branch commit merge review ticket sprint budget invoice contract client meeting agenda minutes
journey passport luggage platform ferry cabin lantern compass atlas border coast meadow orchard hedge
spade trowel compost seedling pruning blossom petal thistle clover willow maple cedar birch alder rowan
ångström café naïve über résumé señor smörgåsbord fjord façade crème jalapeño doppelgänger Zürich Kraków`
