package crates

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/library"
	"github.com/jptool/jptool/examples/bookworm/internal/version"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// A choice is the version of a crate that a call uses.
type choice struct {
	name, version string
	asked         string // the version as requested
	size          int64  // of the archive, see library.Size; 0 if it was not looked up
	remarks       []string
}

func (c *choice) remark(format string, args ...any) {
	c.remarks = append(c.remarks, fmt.Sprintf(format, args...))
}

func asOf(t time.Time) string {
	return "crates.io was not asked: what is said of versions is as of " + t.UTC().Format("2006-01-02 15:04 UTC") + "."
}

// An asker determines the crate and the version, and asks the user if they are not clear.
type asker struct {
	library    *library.Library
	crate      elicit.Pick
	version    elicit.Pick
	askVersion bool
	documented bool // whether the version must have documentation
}

// settle returns the version of a crate to use.
func (a asker) settle(ctx context.Context, name, text string) (choice, error) {
	wanted, err := version.Parse(text)
	if err != nil {
		return choice{}, fault.New(fault.InvalidInput, "crate_version: %s", err)
	}
	var r library.Resolution
	c := choice{asked: wanted.String()}
	c.name, err = named(ctx, name, a.crate, func(name string) error {
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
		c.remark("%s", asOf(r.AsOf))
		// Offline, versions that are not cached are unavailable.
		if have, ok := a.library.Cached(c.name, wanted); ok && a.documented && a.library.Offline() {
			r.Version, r.Doubt = have.Version, library.Certain
		}
	}
	if c.version = r.Version; r.Doubt != library.Certain {
		return a.pick(ctx, c, r)
	}
	if a.documented {
		sizes, err := a.sizes(ctx, c.name, []string{c.version})
		if err != nil {
			return choice{}, err
		}
		size, ok := sizes[c.version]
		if !ok {
			r.Doubt = library.Undocumented
			return a.pick(ctx, c, r)
		}
		c.size = size
	}
	return c, nil
}

// pick asks which version to use when the requested one is in doubt.
func (a asker) pick(ctx context.Context, c choice, r library.Resolution) (choice, error) {
	const most = 8
	options := r.Candidates()
	options = options[:min(len(options), most)]
	if r.Doubt == library.Yanked {
		options = append(options, r.Version)
	}
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
	what := c.asked
	if r.Version != "" && r.Version != what {
		what += " (" + r.Version + ")"
	}
	if len(options) == 0 {
		return choice{}, fault.New(fault.NotFound, "%s %s: %s, and no other version is suitable", c.name, what, r.Doubt)
	}
	c.version = options[0]
	// If the only candidate for the latest version is a pre-release, there is nothing to ask.
	if a.askVersion && (r.Doubt != library.Prerelease || len(options) > 1) {
		var err error
		c.version, err = a.version.Among(options...).Default(options[0]).Ask(ctx, "%s %s: %s. Which version shall be used?", c.name, what, r.Doubt)
		if err != nil {
			return choice{}, err
		}
	}
	c.size = sizes[c.version]
	c.remark("%s %s: %s. Version %s was used.", c.name, what, r.Doubt, c.version)
	c.asked = c.version
	return c, nil
}

// sizes gets the sizes of archives from docs.rs, once in a logical call.
func (a asker) sizes(ctx context.Context, name string, versions []string) (map[string]int64, error) {
	sizes, err := tool.Once(ctx, fmt.Sprint("sizes of ", name, versions), func(ctx context.Context) (map[string]int64, error) {
		return a.library.Sizes(ctx, name, versions)
	})
	return sizes, failed(err)
}

// named returns the name of the crate to use: the given name if look finds it, else one that the user picks.
func named(ctx context.Context, name string, ask elicit.Pick, look func(string) error) (string, error) {
	if err := crateuri.Name(name); err != nil {
		return "", fault.New(fault.InvalidInput, "crate_name: %s", err)
	}
	err := look(name)
	var unknown *library.UnknownCrateError
	if !errors.As(err, &unknown) || len(unknown.Similar) == 0 {
		return name, failed(err)
	}
	ask = ask.Among(unknown.Similar...)
	if len(unknown.Similar) == 1 {
		ask = ask.Default(unknown.Similar[0])
	}
	picked, err := ask.Ask(ctx, "There is no crate %q. Which one is meant?", name)
	if err != nil {
		return "", err
	}
	return picked, failed(look(picked))
}
