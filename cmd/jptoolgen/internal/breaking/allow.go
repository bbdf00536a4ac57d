package breaking

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// An Allowance accepts changes that are known.
type Allowance struct {
	// Rule is the ID of the rule.
	Rule string `json:"rule"`
	// Where is the place, as a Change has it. A * at its end stands for anything.
	Where string `json:"where"`
	// Reason says why it is accepted.
	Reason string `json:"reason"`
	// Until is the last day on which it is, as 2006-01-02.
	Until string `json:"until"`

	last time.Time
}

// ReadAllowances returns the allowances that a file holds, a JSON list. The error
// names the entry that lacks something, or has a rule that does not exist.
func ReadAllowances(data []byte) ([]Allowance, error) {
	var list []Allowance
	if err := json.Unmarshal(data, &list, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("an allow-list is a JSON list of objects with rule, where, reason and until: %w", err)
	}
	known := map[string]bool{}
	for _, r := range Rules() {
		known[r.ID] = true
	}
	for i := range list {
		a := &list[i]
		switch {
		case !known[a.Rule]:
			return nil, fmt.Errorf("entry %d: there is no rule %q; jptoolgen diff --rules lists them", i+1, a.Rule)
		case a.Where == "":
			return nil, fmt.Errorf("entry %d: where is the place of the change as diff prints it, such as note_get.input.id", i+1)
		case strings.TrimSpace(a.Reason) == "":
			return nil, fmt.Errorf("entry %d: the reason is missing", i+1)
		}
		var err error
		if a.last, err = time.Parse(time.DateOnly, a.Until); err != nil {
			return nil, fmt.Errorf("entry %d: until is a day such as 2027-03-31, not %q", i+1, a.Until)
		}
	}
	return list, nil
}

// Allow marks the changes that a list accepts on a day, and returns the entries
// that accept nothing any more because their day is over.
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

// String returns what the entry accepts and until when.
func (a Allowance) String() string {
	return fmt.Sprintf("%s at %s, accepted until %s", a.Rule, a.Where, a.Until)
}
