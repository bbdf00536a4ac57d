package registry

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/fetch"
	"github.com/jptool/jptool/examples/bookworm/internal/version"
)

// A Crate is a search result.
type Crate struct {
	// Name on crates.io.
	Name string `json:"name"`
	// Newest stable version, or the newest version if none is stable.
	Version string `json:"version"`
	// Short description.
	Description string `json:"description,omitempty"`
	// URL of the home page.
	Homepage string `json:"homepage,omitempty"`
	// URL of the documentation.
	Documentation string `json:"documentation,omitempty"`
	// URL of the repository.
	Repository string `json:"repository,omitempty"`
	// Number of downloads of all versions.
	Downloads int64 `json:"downloads"`
}

// Metadata describes a crate.
type Metadata struct {
	Name, Description, Homepage, Documentation, Repository string
	// Categories holds names for display, such as "Date and time".
	Keywords, Categories []string
	// Versions holds all versions, newest first, including yanked versions.
	Versions []Version
	// AsOf is the time of the data if it could not be checked now, and zero otherwise.
	AsOf time.Time
}

// Versions holds the versions of a crate.
type Versions struct {
	// Name is the name on crates.io, whose spelling may differ from the requested name.
	Name string
	// List holds all versions, newest first, including yanked versions.
	List []Version
	// AsOf is the time of the data if it could not be checked now, and zero otherwise.
	AsOf time.Time
}

// A Version is a published version of a crate.
type Version struct {
	// Version number.
	Num string `json:"num"`
	// Time of publication.
	CreatedAt string `json:"created_at"`
	// Number of downloads of this version.
	Downloads int64 `json:"downloads"`
	// Whether the version was yanked.
	Yanked bool `json:"yanked"`
	// Minimum Rust version.
	MSRV string `json:"msrv,omitempty"`
	// License as an SPDX expression.
	License string `json:"license,omitempty"`
	// GitHub login of the publisher.
	PublishedBy string `json:"published_by,omitempty"`
}

// The maximum lengths of some fields in bytes. crates.io allows longer fields, but an answer with ten crates
// would then be too long.
const maxLink, maxDescription = 300, 1000

// A description is a string of limited length.
type description string

// UnmarshalJSON cuts long text.
func (d *description) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	if len(text) > maxDescription {
		text = strings.ToValidUTF8(text[:maxDescription], "") + "…"
	}
	*d = description(text)
	return nil
}

// link is a web URL, or "" for anything else.
type link string

// UnmarshalJSON drops values that are not web URLs, and very long URLs, because a bad link must not make the
// call fail.
func (l *link) UnmarshalJSON(data []byte) error {
	var text string
	*l = ""
	if json.Unmarshal(data, &text) != nil {
		return nil
	}
	if u, err := url.Parse(strings.TrimSpace(text)); err == nil && len(text) <= maxLink && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
		*l = link(strings.TrimSpace(text))
	}
	return nil
}

// crateFields holds the fields of a crate that every response contains.
type crateFields struct {
	Name          string      `json:"name"`
	ID            string      `json:"id"`
	Description   description `json:"description"`
	Homepage      link        `json:"homepage"`
	Documentation link        `json:"documentation"`
	Repository    link        `json:"repository"`
}

func parseSearch(data []byte) ([]Crate, error) {
	var answer struct {
		Crates []json.RawMessage `json:"crates"`
	}
	if err := unmarshal(data, &answer); err != nil {
		return nil, err
	}
	if answer.Crates == nil {
		return nil, &fetch.RefusedError{Reason: "the response from crates.io has no member \"crates\""}
	}
	var found []Crate
	for _, raw := range answer.Crates {
		var c struct {
			crateFields
			Downloads *int64 `json:"downloads"`
			Max       string `json:"max_version"`
			Stable    string `json:"max_stable_version"`
			Standard  string `json:"default_version"`
		}
		// An incomplete entry is skipped; the other entries are kept.
		if json.Unmarshal(raw, &c) != nil || c.Downloads == nil || crateuri.Name(c.Name) != nil {
			continue
		}
		newest := cmp.Or(c.Stable, c.Standard, c.Max)
		if !version.Exact(newest) {
			continue
		}
		found = append(found, Crate{
			Name: c.Name, Version: newest, Description: string(c.Description), Downloads: *c.Downloads,
			Homepage: string(c.Homepage), Documentation: string(c.Documentation), Repository: string(c.Repository),
		})
	}
	return found[:min(len(found), 10)], nil
}

func parseMetadata(data []byte) (*Metadata, error) {
	var answer struct {
		Crate      *crateFields                      `json:"crate"`
		Versions   []json.RawMessage                 `json:"versions"`
		Keywords   []struct{ Keyword, ID string }    `json:"keywords"`
		Categories []struct{ Category, Slug string } `json:"categories"`
	}
	if err := unmarshal(data, &answer); err != nil {
		return nil, err
	}
	if answer.Crate == nil || crateuri.Name(answer.Crate.Name) != nil {
		return nil, &fetch.RefusedError{Reason: "the response from crates.io has no valid member \"crate\""}
	}
	c := answer.Crate
	m := &Metadata{
		Name: c.Name, Description: string(c.Description),
		Homepage: string(c.Homepage), Documentation: string(c.Documentation), Repository: string(c.Repository),
	}
	for _, k := range answer.Keywords {
		m.Keywords = append(m.Keywords, cmp.Or(k.Keyword, k.ID))
	}
	for _, k := range answer.Categories {
		m.Categories = append(m.Categories, cmp.Or(k.Category, k.Slug))
	}
	m.Versions, _ = versions(answer.Versions)
	return m, nil
}

func parseVersions(asked string, data []byte) (*Versions, error) {
	var answer struct {
		Versions []json.RawMessage `json:"versions"`
	}
	if err := unmarshal(data, &answer); err != nil {
		return nil, err
	}
	if answer.Versions == nil {
		return nil, &fetch.RefusedError{Reason: "the response from crates.io has no member \"versions\""}
	}
	list, name := versions(answer.Versions)
	if crateuri.Name(name) != nil || !SameCrate(name, asked) {
		name = asked
	}
	return &Versions{Name: name, List: list}, nil
}

// versions returns the valid versions and the name of their crate.
func versions(raw []json.RawMessage) (list []Version, name string) {
	for _, data := range raw {
		var v struct {
			Crate       string `json:"crate"`
			Num         string `json:"num"`
			CreatedAt   string `json:"created_at"`
			Downloads   int64  `json:"downloads"`
			Yanked      bool   `json:"yanked"`
			RustVersion string `json:"rust_version"`
			License     string `json:"license"`
			PublishedBy *struct {
				Login string `json:"login"`
			} `json:"published_by"`
		}
		if json.Unmarshal(data, &v) != nil || !version.Exact(v.Num) {
			continue
		}
		one := Version{Num: v.Num, CreatedAt: v.CreatedAt, Downloads: v.Downloads, Yanked: v.Yanked, MSRV: v.RustVersion, License: v.License}
		if v.PublishedBy != nil {
			one.PublishedBy = v.PublishedBy.Login
		}
		list, name = append(list, one), v.Crate
	}
	slices.SortStableFunc(list, func(a, b Version) int { return version.Compare(b.Num, a.Num) })
	return list, name
}

// SameCrate reports whether crates.io treats two names as equal: it ignores case and treats - and _ as equal.
func SameCrate(a, b string) bool {
	return strings.EqualFold(strings.ReplaceAll(a, "-", "_"), strings.ReplaceAll(b, "-", "_"))
}
