package version

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"
)

// A comparator is one part of a requirement (The Cargo Book, Specifying Dependencies).
type comparator struct {
	op    string // one of = > >= < <= ~ ^
	n     [3]uint64
	given int    // number of elements of n that are set
	pre   string // the pre-release with the leading dash
}

func parseComparator(text string) (comparator, bool) {
	c := comparator{op: "^"}
	for _, op := range []string{">=", "<=", ">", "<", "=", "~", "^"} {
		if rest, ok := strings.CutPrefix(text, op); ok {
			c.op, text = op, strings.TrimSpace(rest)
			break
		}
	}
	text, build, hasBuild := strings.Cut(text, "+")
	text, pre, hasPre := strings.Cut(text, "-")
	parts := strings.Split(text, ".")
	if text == "" || len(parts) > 3 {
		return c, false
	}
	for i, part := range parts {
		if part == "*" || part == "x" || part == "X" {
			// Everything after a wildcard must also be a wildcard.
			for _, rest := range parts[i:] {
				if rest != part {
					return c, false
				}
			}
			if c.op == "^" {
				c.op = "="
			}
			return c, !hasPre && !hasBuild && (i > 0 || c.op == "=")
		}
		n, err := strconv.ParseUint(part, 10, 62)
		if err != nil || len(part) > 1 && part[0] == '0' || part[0] == '+' {
			return c, false
		}
		c.n[i], c.given = n, i+1
	}
	if hasPre {
		c.pre = "-" + pre
	}
	if (hasPre || hasBuild) && c.given < 3 {
		return c, false
	}
	full := "v" + c.core() + c.pre
	if hasBuild {
		full += "+" + build
	}
	return c, semver.IsValid(full)
}

// core returns the three numbers, with 0 for numbers that are not set.
func (c comparator) core() string { return fmt.Sprintf("%d.%d.%d", c.n[0], c.n[1], c.n[2]) }

// nextVersion returns the lowest version whose number at i is greater than the number at i in c.
func (c comparator) nextVersion(i int) string {
	n := c.n
	n[i]++
	for j := i + 1; j < len(n); j++ {
		n[j] = 0
	}
	return fmt.Sprintf("v%d.%d.%d", n[0], n[1], n[2])
}

func (c comparator) matches(v string) bool {
	v = "v" + v
	from := "v" + c.core() + c.pre
	atLeast := semver.Compare(v, from) >= 0
	// below ignores pre-releases: 2.0.0-rc.1 is not below 2.0.0.
	below := func(limit string) bool { return semver.Compare("v"+numbers(v[1:]), limit) < 0 }
	last := c.given - 1
	switch c.op {
	case "=":
		if c.given == 3 {
			return semver.Compare(v, from) == 0
		}
		return c.given == 0 || atLeast && below(c.nextVersion(last))
	case ">":
		if c.given == 3 {
			return semver.Compare(v, from) > 0
		}
		return !below(c.nextVersion(last))
	case ">=":
		return atLeast
	case "<":
		return semver.Compare(v, from) < 0
	case "<=":
		if c.given == 3 {
			return semver.Compare(v, from) <= 0
		}
		return below(c.nextVersion(last))
	case "~":
		return atLeast && below(c.nextVersion(min(last, 1)))
	default: // the operator ^
		first := 0
		for first < last && c.n[first] == 0 {
			first++
		}
		return atLeast && below(c.nextVersion(first))
	}
}
