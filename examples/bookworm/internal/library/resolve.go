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
	// Similar lists crates whose names differ only by case, - and _.
	Similar []string
}

// Error mentions the name and the similar ones.
func (e *UnknownCrateError) Error() string {
	text := fmt.Sprintf("no crate named %q", e.Name)
	if len(e.Similar) > 0 {
		text += "; similar: " + strings.Join(e.Similar, ", ")
	}
	return text
}

// A Doubt is the reason why a version may not be what the user wants.
type Doubt string

// The doubts. In messages they follow the requested version.
const (
	Certain      Doubt = ""
	Missing      Doubt = "there is no such version"
	Yanked       Doubt = "its author has yanked it"
	Prerelease   Doubt = "there are pre-releases alone"
	Undocumented Doubt = "docs.rs has no documentation of it"
)

// A Resolution is the version for a request, or the reason why it is in doubt.
type Resolution struct {
	// Version is a full version, "" if no version matches.
	Version string
	// Doubt is the reason why the version may be wrong.
	Doubt Doubt
	// Known lists all versions, newest first, from which alternatives are offered. It includes Version if that
	// exists.
	Known []registry.Version
	// AsOf is the time of the last response of crates.io if crates.io is unreachable now, else zero.
	AsOf time.Time
}

// Resolve returns the version of a crate for a request. It returns an [UnknownCrateError] if the crate does not
// exist. While crates.io is unreachable, it accepts an exact version unchecked, and resolves other requests from
// the cache.
func (l *Library) Resolve(ctx context.Context, name string, wanted version.Wanted) (Resolution, error) {
	if wanted.IsExact() {
		if _, err := l.cache.Find(name, wanted.String()); err == nil {
			return Resolution{Version: wanted.String()}, nil
		}
	}
	versions, err := l.Versions(ctx, name)
	switch {
	case errors.Is(err, registry.ErrOffline), err != nil && fetch.Transient(err) && ctx.Err() == nil:
		if r, ok := l.Cached(name, wanted); ok {
			return r, nil
		}
		if wanted.IsExact() && !l.offline {
			return Resolution{Version: wanted.String()}, nil // docs.rs may have it
		}
		return Resolution{}, err
	case err != nil:
		return Resolution{}, err
	}
	r := choose(versions.List, wanted)
	r.AsOf = versions.AsOf
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
		return &UnknownCrateError{Name: name, Similar: l.similar(ctx, name)}
	}
	return err
}

// choose resolves a request from a list of versions, newest first.
func choose(list []registry.Version, wanted version.Wanted) Resolution {
	r := Resolution{Known: list, Doubt: Missing}
	prerelease, yanked := "", ""
	for _, v := range list {
		switch {
		case wanted.Matches(v.Num) && !v.Yanked:
			r.Version, r.Doubt = v.Num, Certain
			return r
		case wanted.IsLatest() && !v.Yanked && prerelease == "":
			prerelease = v.Num
		case (wanted.Matches(v.Num) || wanted.IsLatest()) && v.Yanked && yanked == "":
			yanked = v.Num
		}
	}
	switch {
	case prerelease != "":
		r.Version, r.Doubt = prerelease, Prerelease
	case yanked != "":
		r.Version, r.Doubt = yanked, Yanked
	}
	return r
}

// Cached returns the newest version that matches the request and whose documentation is cached.
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

// similar returns crates with similar names. It ignores errors, because the names are only a hint.
func (l *Library) similar(ctx context.Context, name string) []string {
	found, err := l.registry.Search(ctx, name)
	if err != nil {
		return nil
	}
	var names []string
	for _, c := range found {
		if c.Name != name && registry.SameCrate(c.Name, name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Sizes returns the sizes of the archives of some versions, see [Library.Size]. Versions without an archive are
// omitted. Only the first nine versions are checked.
func (l *Library) Sizes(ctx context.Context, name string, versions []string) (map[string]int64, error) {
	const most, atOnce = 9, 4
	versions = versions[:min(len(versions), most)]
	sizes, errs := make([]int64, len(versions)), make([]error, len(versions))
	var g errgroup.Group
	g.SetLimit(atOnce)
	for i, num := range versions {
		g.Go(func() error {
			sizes[i], errs[i] = l.Size(ctx, name, num)
			return nil
		})
	}
	_ = g.Wait() // errors are collected per version
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

// Candidates returns the versions that can replace one in doubt: all that are not yanked, stable ones first.
func (r Resolution) Candidates() []string {
	var stable, early []string
	for _, v := range r.Known {
		switch {
		case v.Yanked:
		case version.Prerelease(v.Num):
			early = append(early, v.Num)
		default:
			stable = append(stable, v.Num)
		}
	}
	return slices.Concat(stable, early)
}
