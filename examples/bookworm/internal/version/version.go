// Package version parses versions and version requirements of crates as Cargo does.
package version

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/mod/semver"
)

// Latest is the request for the newest version that is neither yanked nor a pre-release.
const Latest = "latest"

// maxText is the maximum length of a version or a requirement in bytes.
const maxText = 128

// Exact reports whether text is a full version: three numbers, with or without a
// pre-release and build metadata.
func Exact(text string) bool {
	core, _, _ := strings.Cut(text, "+")
	core, _, _ = strings.Cut(core, "-")
	return len(text) <= maxText && strings.Count(core, ".") == 2 && semver.IsValid("v"+text)
}

// Compare orders full versions by precedence. It orders versions of equal precedence by their build metadata.
func Compare(a, b string) int {
	return cmp.Or(semver.Compare("v"+a, "v"+b), strings.Compare(a, b))
}

// Prerelease reports whether a full version is a pre-release.
func Prerelease(v string) bool { return semver.Prerelease("v"+v) != "" }

// Wanted says which version a caller wants: [Latest], one version, or any version that meets a
// requirement.
type Wanted struct {
	text        string
	comparators []comparator
}

// Parse parses text. Empty text means [Latest]. The error for invalid text describes the valid forms.
func Parse(text string) (Wanted, error) {
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "" || strings.EqualFold(trimmed, Latest):
		return Wanted{text: Latest}, nil
	case Exact(trimmed):
		return Wanted{text: trimmed}, nil
	case len(trimmed) > maxText:
		return Wanted{}, fmt.Errorf("version must have at most %d characters", maxText)
	}
	w := Wanted{text: trimmed}
	for part := range strings.SplitSeq(trimmed, ",") {
		c, ok := parseComparator(strings.TrimSpace(part))
		if !ok {
			if bare := strings.TrimLeft(trimmed, "vV"); bare != trimmed && Exact(bare) {
				return Wanted{}, fmt.Errorf("invalid version %q; use %q", trimmed, bare)
			}
			return Wanted{}, fmt.Errorf("invalid version %q; use latest, a version such as 1.2.3, or a requirement such as ^1.2", trimmed)
		}
		w.comparators = append(w.comparators, c)
	}
	return w, nil
}

// String returns the text of the request.
func (w Wanted) String() string { return w.text }

// IsLatest reports whether the latest version is requested.
func (w Wanted) IsLatest() bool { return w.text == Latest }

// IsExact reports whether one full version is requested. In that case, String returns the version.
func (w Wanted) IsExact() bool { return w.comparators == nil && !w.IsLatest() }

// Near returns a full version that is close to the requested versions, or "" for the latest version.
func (w Wanted) Near() string {
	switch {
	case w.IsLatest():
		return ""
	case w.IsExact():
		return w.text
	}
	return w.comparators[0].core() + w.comparators[0].pre
}

// Matches reports whether v, a full version, satisfies the request. Latest matches every version except
// pre-releases. A requirement matches a pre-release only if it contains a pre-release with the same three
// numbers.
func (w Wanted) Matches(v string) bool {
	switch {
	case w.IsLatest():
		return !Prerelease(v)
	case w.IsExact():
		return v == w.text
	}
	named := false
	for _, c := range w.comparators {
		if !c.matches(v) {
			return false
		}
		named = named || c.pre != "" && c.core() == numbers(v)
	}
	return named || !Prerelease(v)
}

// numbers returns a full version without pre-release or build metadata.
func numbers(v string) string {
	v, _, _ = strings.Cut(v, "+")
	v, _, _ = strings.Cut(v, "-")
	return v
}
