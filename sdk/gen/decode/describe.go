package decode

import (
	"strings"

	"github.com/jptool/jptool/internal/phrase"
)

const (
	suchAs = " such as " // before an example
	// rightForm describes a value whose form only its type knows.
	rightForm = " of the right form"
)

// describe says what the rules add to a noun: "an integer from 1 to 10". The extent is what the type itself adds, which
// bounds in the rules replace.
func describe(noun, extent string, rules []Rule) string {
	var l phrase.Limits
	for i := range rules {
		r := &rules[i]
		if limit := r.limit(&l); limit != nil {
			*limit = string(r.appendNumber(nil))
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

// limit returns where the number of a rule belongs, or sets what is not a number.
func (r *Rule) limit(l *phrase.Limits) *string {
	switch r.op {
	case opMinimum:
		return &l.Minimum
	case opMaximum:
		return &l.Maximum
	case opExclusiveMinimum:
		return &l.ExclusiveMinimum
	case opExclusiveMaximum:
		return &l.ExclusiveMaximum
	case opMultipleOf:
		return &l.MultipleOf
	case opMinLength:
		return &l.MinLength
	case opMaxLength:
		return &l.MaxLength
	case opMinItems:
		return &l.MinItems
	case opMaxItems:
		return &l.MaxItems
	case opMinProperties:
		return &l.MinProperties
	case opMaxProperties:
		return &l.MaxProperties
	case opUniqueItems:
		l.UniqueItems = true
	case opPattern:
		l.Pattern = r.text
	}
	return nil
}
