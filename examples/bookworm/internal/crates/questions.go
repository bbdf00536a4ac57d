package crates

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/fetch"
	"github.com/jptool/jptool/examples/bookworm/internal/library"
	"github.com/jptool/jptool/examples/bookworm/internal/version"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// A choice is the version of a crate that a call uses.
type choice struct {
	name, version string
	size          int64 // the size of the archive (see library.Size); 0 if it is not known
	remarks       []string
}

func (c *choice) remark(format string, args ...any) {
	c.remarks = append(c.remarks, fmt.Sprintf(format, args...))
}

func asOfRemark(t time.Time) string {
	return "crates.io was not contacted: version information is from " + t.UTC().Format("2006-01-02 15:04 UTC") + "."
}

// An asker determines the crate and the version, and asks the user if either is unclear.
type asker struct {
	library    *library.Library
	crate      elicit.Pick
	version    elicit.Pick
	askVersion bool
	documented bool // whether the version must have documentation
	// unversioned is set if the tool has no argument for a version.
	unversioned bool
	clock       *clock
}

// resolveVersion returns the version of a crate to use. If the requested version does not exist, it never uses
// another one.
func (a asker) resolveVersion(ctx context.Context, name, text string) (choice, error) {
	wanted, err := version.Parse(text)
	if err != nil {
		return choice{}, fault.New(fault.InvalidInput, "%s", err)
	}
	var r library.Resolution
	var c choice
	c.name, err = a.resolveName(ctx, name, func(ctx context.Context, name string) error {
		r, err = a.library.Resolve(ctx, name, wanted)
		return err
	})
	if err != nil {
		return choice{}, err
	}
	if c.name != name {
		c.remark("The crate is called %s.", c.name)
	}
	if !r.AsOf.IsZero() {
		c.remark("%s", asOfRemark(r.AsOf))
		// Offline, versions that are not cached are unavailable.
		if have, ok := a.library.Cached(c.name, wanted); ok && a.documented && a.library.Offline() {
			r.Version, r.Problem = have.Version, library.NoProblem
		}
	}
	if c.version = r.Version; c.version != wanted.String() && c.version != "" {
		c.remark("%s %s is version %s.", c.name, wanted, c.version)
	}
	switch r.Problem {
	case library.Prerelease:
		c.remark("%s %s %s.", c.name, c.version, r.Problem)
		return a.pick(ctx, c, r, "")
	case library.Yanked:
		c.remark("%s %s %s.", c.name, c.version, r.Problem)
	}
	if a.documented {
		sizes, err := a.sizes(ctx, c.name, []string{c.version})
		if err != nil {
			return choice{}, err
		}
		size, ok := sizes[c.version]
		if !ok {
			r.Problem = library.Undocumented
			return a.pick(ctx, c, r, c.version)
		}
		c.size = size
	}
	return c, nil
}

// pick asks which version to use if there are only pre-releases, or if the version has no documentation. The
// first version that it offers is the default.
func (a asker) pick(ctx context.Context, c choice, r library.Resolution, near string) (choice, error) {
	const limit = 8
	options := r.Nearest(near)
	options = options[:min(len(options), limit)]
	sizes := map[string]int64{}
	if a.documented {
		var err error
		if sizes, err = a.sizes(ctx, c.name, options); err != nil {
			return choice{}, err
		}
		options = slices.DeleteFunc(options, func(v string) bool {
			_, ok := sizes[v]
			return !ok
		})
	}
	if len(options) == 0 {
		return choice{}, fault.New(fault.NotFound, "%s %s %s, and neither does any other version; use crate_readme instead", c.name, c.version, library.Undocumented)
	}
	preferred := options[0]
	// If the only candidate for the latest version is a pre-release, there is nothing to ask.
	if a.askVersion && (r.Problem != library.Prerelease || len(options) > 1) {
		var err error
		preferred, err = a.version.Among(options...).Default(preferred).Ask(ctx, "%s %s %s. Which version should be used?", c.name, c.version, r.Problem)
		if err != nil {
			return choice{}, err
		}
	}
	c.size = sizes[preferred]
	if preferred != c.version {
		if r.Problem == library.Undocumented {
			c.remark("%s %s %s.", c.name, c.version, r.Problem)
		}
		c.remark("This is version %s.", preferred)
		c.version = preferred
	}
	return c, nil
}

// sizes gets the sizes of archives from docs.rs, once per tool call.
func (a asker) sizes(ctx context.Context, name string, versions []string) (map[string]int64, error) {
	sizes, err := tool.Once(ctx, fmt.Sprint("sizes of ", name, versions), func(ctx context.Context) (sizes map[string]int64, err error) {
		err = a.clock.run(ctx, func(ctx context.Context) error {
			sizes, err = a.library.Sizes(ctx, name, versions)
			return err
		})
		return sizes, err
	})
	return sizes, faultOf(err)
}

// resolveName returns the name of the crate to use: the given name if look finds it, or else a name that the user
// picks.
func (a asker) resolveName(ctx context.Context, name string, look func(context.Context, string) error) (string, error) {
	if err := crateuri.Name(name); err != nil {
		if meant, version := crateuri.Meant(name); version != "" && !a.unversioned {
			return "", fault.New(fault.InvalidInput, "crate_name: %.70q is not a crate name; use %q, and %q as crate_version", name, meant, version)
		} else if meant != "" {
			return "", fault.New(fault.InvalidInput, "crate_name: %.70q is not a crate name; use %q", name, meant)
		}
		return "", fault.New(fault.InvalidInput, "crate_name: %q is not a crate name; use crates_search with query %q", name, strings.Join(strings.Fields(name), " "))
	}
	find := func(name string) error {
		return a.clock.run(ctx, func(ctx context.Context) error { return look(ctx, name) })
	}
	err := find(name)
	var unknown *library.UnknownCrateError
	if !errors.As(err, &unknown) || len(unknown.Similar) == 0 {
		return name, faultOf(err)
	}
	ask := a.crate.Among(unknown.Similar...)
	if len(unknown.Similar) == 1 {
		ask = ask.Default(unknown.Similar[0])
	}
	picked, err := ask.Ask(ctx, "There is no crate %q. Which crate do you mean?", name)
	if err != nil {
		return "", err
	}
	return picked, faultOf(find(picked))
}

// A clock limits the time that a call waits for crates.io, docs.rs and an index, because the client does not
// wait forever. It is paused while the user is asked.
type clock struct{ left time.Duration }

// run calls f with a context that ends when the time runs out.
func (c *clock) run(ctx context.Context, f func(context.Context) error) error {
	start := time.Now()
	ctx, cancel := fetch.Within(ctx, c.left)
	defer cancel()
	err := f(ctx)
	c.left -= time.Since(start)
	return err
}
