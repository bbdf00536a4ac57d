package library

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/jptool/jptool/examples/bookworm/internal/docsrs"
	"github.com/jptool/jptool/examples/bookworm/internal/fetch"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
	"github.com/jptool/jptool/examples/bookworm/internal/version"
)

// An UnknownCrateError reports the name of a crate that does not exist.
type UnknownCrateError struct {
	Name string
	// Similar lists crates whose names differ only in case, - and _. Found lists the first other crates that a
	// search for the name finds.
	Similar, Found []string
}

// Error mentions the name and similar names.
func (e *UnknownCrateError) Error() string {
	text := fmt.Sprintf("no crate named %q", e.Name)
	if len(e.Similar) > 0 {
		text += "; similar: " + strings.Join(e.Similar, ", ")
	}
	return text
}

// A MissingVersionError reports that no version of a crate satisfies a request.
type MissingVersionError struct {
	Name    string
	Wanted  version.Wanted
	Nearest []string // versions to use instead; see [Resolution.Nearest]
}

// Error mentions the nearest versions.
func (e *MissingVersionError) Error() string {
	const limit = 3
	text := fmt.Sprintf("no version of %s matches %s", e.Name, e.Wanted)
	if e.Wanted.IsExact() {
		text = fmt.Sprintf("%s has no version %s", e.Name, e.Wanted)
	}
	if len(e.Nearest) == 0 {
		return text + ", and all its versions are yanked"
	}
	return text + "; use " + strings.Join(e.Nearest[:min(len(e.Nearest), limit)], " or ")
}

// A Problem says why a version may not be what the user wants.
type Problem string

// The problems. In messages, the text of a problem follows the version.
const (
	NoProblem    Problem = ""
	Yanked       Problem = "is yanked: its author has withdrawn it"
	Prerelease   Problem = "is a pre-release, like all other versions"
	Undocumented Problem = "has no documentation on docs.rs"
)

// A Resolution is the version that was found for a request, and what may be wrong with it.
type Resolution struct {
	// Version is a full version.
	Version string
	// Problem says why the version may be wrong.
	Problem Problem
	// Known lists all versions, newest first, from which alternatives are offered. It includes Version if that
	// version exists.
	Known []registry.Version
	// AsOf is the time of the last response if crates.io is unreachable now, and zero otherwise.
	AsOf time.Time
}

// Resolve returns the version of a crate for a request. It returns an [UnknownCrateError] if the crate does not
// exist, and a [MissingVersionError] if no version matches. While crates.io is unreachable, it accepts an exact
// version without checking it, and resolves other requests from the cache.
func (l *Library) Resolve(ctx context.Context, name string, wanted version.Wanted) (Resolution, error) {
	if wanted.IsExact() {
		if _, err := l.cache.Find(name, wanted.String()); err == nil {
			if r := choose(l.registry.Stored(name), wanted); r.Version != "" {
				return r, nil
			}
			return Resolution{Version: wanted.String()}, nil // it is unknown whether the version was yanked
		}
	}
	versions, err := l.Versions(ctx, name)
	switch {
	case errors.Is(err, registry.ErrOffline), err != nil && fetch.Transient(err) && ctx.Err() == nil:
		if r, ok := l.Cached(name, wanted); ok {
			return r, nil
		}
		if wanted.IsExact() && !l.offline {
			return Resolution{Version: wanted.String()}, nil // docs.rs may have this version
		}
		return Resolution{}, err
	case err != nil:
		return Resolution{}, err
	}
	r := choose(versions.List, wanted)
	r.AsOf = versions.AsOf
	if r.Version == "" {
		return r, &MissingVersionError{Name: name, Wanted: wanted, Nearest: r.Nearest(wanted.Near())}
	}
	return r, nil
}

// Versions returns the versions of a crate, or an [UnknownCrateError] if it does not exist.
func (l *Library) Versions(ctx context.Context, name string) (*registry.Versions, error) {
	v, err := l.registry.Versions(ctx, name)
	if err == nil && v.Name != name {
		return nil, &UnknownCrateError{Name: name, Similar: []string{v.Name}}
	}
	return v, l.unknown(ctx, name, err)
}

// Metadata returns the metadata of a crate, or an [UnknownCrateError] if it does not exist.
func (l *Library) Metadata(ctx context.Context, name string) (*registry.Metadata, error) {
	m, err := l.registry.Metadata(ctx, name)
	if err == nil && m.Name != name {
		return nil, &UnknownCrateError{Name: name, Similar: []string{m.Name}}
	}
	return m, l.unknown(ctx, name, err)
}

func (l *Library) unknown(ctx context.Context, name string, err error) error {
	if errors.Is(err, registry.ErrNotFound) {
		return l.similar(ctx, name)
	}
	return err
}

// choose resolves a request from a list of versions, newest first. The Version of the result is "" if no version
// matches.
func choose(list []registry.Version, wanted version.Wanted) Resolution {
	r := Resolution{Known: list}
	prerelease, yanked := "", ""
	for _, v := range list {
		switch {
		case wanted.Matches(v.Num) && !v.Yanked:
			r.Version, r.Problem = v.Num, NoProblem
			return r
		case wanted.IsLatest() && !v.Yanked && prerelease == "":
			prerelease = v.Num
		case (wanted.Matches(v.Num) || wanted.IsLatest()) && v.Yanked && yanked == "":
			yanked = v.Num
		}
	}
	switch {
	case prerelease != "":
		r.Version, r.Problem = prerelease, Prerelease
	case yanked != "":
		r.Version, r.Problem = yanked, Yanked
	}
	return r
}

// Cached returns the newest version that matches the request and whose documentation is cached, or
// false if no cached version matches.
func (l *Library) Cached(name string, wanted version.Wanted) (Resolution, bool) {
	entries, err := l.cache.Entries()
	if err != nil {
		return Resolution{}, false
	}
	var best Resolution
	for _, e := range entries {
		crate, num, ok := strings.Cut(e.Name, "@")
		if !ok || crate != name || !version.Exact(num) || !wanted.Matches(num) || best.Version != "" && version.Compare(num, best.Version) < 0 {
			continue
		}
		if _, err := l.cache.Find(name, num); err == nil {
			best = Resolution{Version: num, AsOf: e.Used}
		}
	}
	return best, best.Version != ""
}

// similar returns the error for a crate that does not exist, with similar crates. It ignores errors, because the
// names are only a hint.
func (l *Library) similar(ctx context.Context, name string) *UnknownCrateError {
	const limit = 3
	unknown := &UnknownCrateError{Name: name}
	found, err := l.registry.Search(ctx, name)
	if err != nil {
		return unknown
	}
	for _, c := range found {
		switch {
		case c.Name != name && registry.SameCrate(c.Name, name):
			unknown.Similar = append(unknown.Similar, c.Name)
		case c.Name != name && len(unknown.Found) < limit:
			unknown.Found = append(unknown.Found, c.Name)
		}
	}
	return unknown
}

// Sizes returns the sizes of the archives of some versions; see [Library.Size]. It omits versions without an
// archive. It only checks the first nine versions.
func (l *Library) Sizes(ctx context.Context, name string, versions []string) (map[string]int64, error) {
	const limit, atOnce = 9, 4
	versions = versions[:min(len(versions), limit)]
	sizes, errs := make([]int64, len(versions)), make([]error, len(versions))
	var g errgroup.Group
	g.SetLimit(atOnce)
	for i, num := range versions {
		g.Go(func() error {
			sizes[i], errs[i] = l.Size(ctx, name, num)
			return nil
		})
	}
	_ = g.Wait() // cannot fail: the errors are in errs
	found := map[string]int64{}
	var failed error
	for i, err := range errs {
		switch {
		case err == nil:
			found[versions[i]] = sizes[i]
		case !errors.Is(err, docsrs.ErrNotFound):
			failed = err
		}
	}
	if len(found) == 0 && failed != nil {
		return nil, failed
	}
	return found, nil
}

// Nearest returns the versions that can replace num. These are all versions that are not yanked: stable versions
// first, and within that, versions with the nearest numbers first. If num is "", the newest versions come first.
func (r Resolution) Nearest(num string) []string {
	at := 0 // twice the index of num, or of the gap in which num would be
	if num != "" {
		i, found := slices.BinarySearchFunc(r.Known, num, func(v registry.Version, num string) int { return version.Compare(num, v.Num) })
		if at = 2 * i; !found {
			at--
		}
	}
	distance := map[string]int{}
	var all []string
	for i, v := range r.Known {
		if v.Yanked {
			continue
		}
		all, distance[v.Num] = append(all, v.Num), max(at-2*i, 2*i-at)
		if version.Prerelease(v.Num) {
			distance[v.Num] += 2*len(r.Known) + 1
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return distance[a] - distance[b] })
	return all
}
