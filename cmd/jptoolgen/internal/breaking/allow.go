package breaking

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// An Allowance accepts known changes until a given day.
type Allowance struct {
	// Rule is the ID of the rule.
	Rule string `json:"rule"`
	// Where is the location of the change, as in [Change]. A trailing * matches any suffix.
	Where string `json:"where"`
	// Reason says why the change is accepted.
	Reason string `json:"reason"`
	// Until is the last day on which the entry applies, in the form 2006-01-02.
	Until string `json:"until"`

	last time.Time
}

// ReadAllowances parses an allow-list, which is a JSON array. The error for an incomplete entry or an unknown
// rule names the entry.
func ReadAllowances(data []byte) ([]Allowance, error) {
	var list []Allowance
	if err := json.Unmarshal(data, &list, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("the allow-list must be a JSON array of objects with rule, where, reason and until: %w", err)
	}
	rules := Rules()
	for i := range list {
		a := &list[i]
		switch {
		case !slices.ContainsFunc(rules, func(r Rule) bool { return r.ID == a.Rule }):
			return nil, fmt.Errorf("entry %d: unknown rule %q; run jptoolgen diff --rules for the list", i+1, a.Rule)
		case a.Where == "":
			return nil, fmt.Errorf("entry %d: missing \"where\"; set it to the location that diff prints, e.g. note_get.input.id", i+1)
		case strings.TrimSpace(a.Reason) == "":
			return nil, fmt.Errorf("entry %d: missing \"reason\"; explain why the change is acceptable", i+1)
		}
		var err error
		if a.last, err = time.Parse(time.DateOnly, a.Until); err != nil {
			return nil, fmt.Errorf("entry %d: invalid \"until\" %q; use a date such as 2027-03-31", i+1, a.Until)
		}
	}
	return list, nil
}

// Allow marks the changes that a list accepts on a given day, and returns the expired entries.
func (r *Report) Allow(list []Allowance, today time.Time) (expired []Allowance) {
	for _, a := range list {
		if !today.Before(a.last.AddDate(0, 0, 1)) {
			expired = append(expired, a)
			continue
		}
		for i := range r.Changes {
			if c := &r.Changes[i]; c.Allowed == "" && a.covers(*c) {
				c.Allowed = a.Reason
			}
		}
	}
	return expired
}

func (a Allowance) covers(c Change) bool {
	if a.Rule != c.Rule {
		return false
	}
	if prefix, ok := strings.CutSuffix(a.Where, "*"); ok {
		return strings.HasPrefix(c.Where, prefix)
	}
	return a.Where == c.Where
}

// String describes the entry and its last day.
func (a Allowance) String() string {
	return fmt.Sprintf("%s at %s, accepted until %s", a.Rule, a.Where, a.Until)
}
