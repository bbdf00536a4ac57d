package decode

import "strings"

// describe returns what the rules add to a noun, such as " from 1 to 10". The extent is the
// range of the type; limits in the rules replace it.
func describe(rules []Rule, extent string) string {
	if phrase := bounded(rules); phrase != "" {
		extent = phrase
	}
	phrase := extent +
		counted(rules, opMinLength, opMaxLength, "character") +
		counted(rules, opMinItems, opMaxItems, "item") +
		counted(rules, opMinProperties, opMaxProperties, "member")
	for i := range rules {
		switch rules[i].op {
		case opMultipleOf:
			phrase += " that is a multiple of " + rules[i].number()
		case opUniqueItems:
			phrase += " without repeats"
		case opPattern:
			phrase += " matching " + rules[i].text
		}
	}
	return phrase
}

func bounded(rules []Rule) string {
	var low, high, phrase string
	var parts []string
	for i := range rules {
		switch number := rules[i].number(); rules[i].op {
		case opMinimum:
			low = number
			parts = append(parts, "of at least "+number)
		case opMaximum:
			high = number
			parts = append(parts, "of at most "+number)
		case opExclusiveMinimum:
			parts = append(parts, "greater than "+number)
		case opExclusiveMaximum:
			parts = append(parts, "less than "+number)
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case len(parts) == 2 && low != "" && high != "":
		phrase = "from " + low + " to " + high
	default:
		phrase = strings.Join(parts, " and ")
	}
	return " " + phrase
}

func counted(rules []Rule, low, high op, noun string) string {
	var least, most *Rule
	for i := range rules {
		switch rules[i].op {
		case low:
			least = &rules[i]
		case high:
			most = &rules[i]
		}
	}
	switch {
	case least != nil && most != nil && least.bits == most.bits:
		return " of exactly " + plural(int(most.bits), noun)
	case least != nil && most != nil:
		return " of " + least.number() + " to " + plural(int(most.bits), noun)
	case least != nil:
		return " of at least " + plural(int(least.bits), noun)
	case most != nil:
		return " of at most " + plural(int(most.bits), noun)
	}
	return ""
}

func (r *Rule) number() string { return string(r.appendNumber(nil)) }
