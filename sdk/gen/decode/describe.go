package decode

import (
	"strings"

	"github.com/jptool/jptool/internal/phrase"
)

const (
	suchAs = " such as " // before an example
	// rightForm is used for types that decode themselves, because their format is unknown.
	rightForm = " of the right form"
)

// describe returns a noun with the requirements of the rules, such as "an integer from 1 to 10". The extent
// is the requirement of the type itself; bounds in the rules replace it.
func describe(noun, extent string, rules []Rule) string {
	var l phrase.Limits
	for _, r := range rules {
		switch words := limits[r.op].words; {
		case words != nil:
			*words(&l) = string(r.appendNumber(nil))
		case r.op == opUniqueItems:
			l.UniqueItems = true
		case r.op == opPattern:
			l.Pattern = r.text
		}
	}
	noun, shown, has := strings.Cut(noun, suchAs)
	if e := find(rules, opExample); e != nil {
		noun, shown, has = strings.TrimSuffix(noun, rightForm), e.text, true
	}
	if !l.BoundNumbers() {
		noun += extent
	}
	noun = l.Of(noun)
	if has {
		noun += suchAs + shown
	}
	return noun
}
