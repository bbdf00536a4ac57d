package jphost

import (
	"encoding/json"
	"slices"
	"time"
)

// check reports whether a value fits a type.
type check func(json.RawMessage) bool

// field is a member of an object type. An optional member may be missing or null.
type field struct {
	name     string
	optional bool
	fits     check
}

func must(name string, fits check) field { return field{name, false, fits} }
func may(name string, fits check) field  { return field{name, true, fits} }

// object returns a check that accepts objects with these fields, each at most once, and with any
// other members.
func object(fields ...field) check {
	return func(raw json.RawMessage) bool {
		members, twice := readObject(raw)
		if members == nil {
			return false
		}
		for _, f := range fields {
			member, given := members[f.name]
			switch {
			case twice[f.name]:
				return false
			case f.optional && (!given || isNull(member)):
			case !given || !f.fits(member):
				return false
			}
		}
		return true
	}
}

func listOf(item check) check {
	return func(raw json.RawMessage) bool {
		return isArray(raw) && !slices.ContainsFunc(readArray(raw), func(raw json.RawMessage) bool {
			return !item(raw)
		})
	}
}

func oneOf(words ...string) check {
	return func(raw json.RawMessage) bool {
		return isString(raw) && slices.Contains(words, readString(raw))
	}
}

func anyOf(a, b check) check {
	return func(raw json.RawMessage) bool { return a(raw) || b(raw) }
}

func both(a, b check) check {
	return func(raw json.RawMessage) bool { return a(raw) && b(raw) }
}

func isTime(raw json.RawMessage) bool {
	_, err := time.Parse(time.RFC3339, readString(raw))
	return isString(raw) && err == nil
}
