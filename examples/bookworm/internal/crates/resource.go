package crates

import (
	"context"
	"slices"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
	"github.com/jptool/jptool/examples/bookworm/internal/render"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// ResourceInput is the input of crate_resource.
type ResourceInput struct {
	// URI such as crate://serde/latest/readme.
	URI string `json:"uri" jsonschema:"minLength=1,maxLength=4096"`
}

// Read a crate:// URI. crate://NAME lists versions, crate://NAME/VERSION has metadata; add /readme for the README,
// /items for all items, /items/PATH.html#FRAGMENT or /items/PATH::NAME for one, /src for the source files,
// /src/LIB/FILE.rs.html#10-40 for lines of one. VERSION is latest, a version, or a requirement. Also reads pages of
// docs.rs.
//
//jp:tool name=crate_resource title="Read a crate:// URI" readonly=true openworld=true budget=25000
//jp:fails not_found unavailable timeout input_declined
func (c *Crates) Resource(ctx context.Context, call *tool.Call, in ResourceInput, ask DocsQuestions, opt DocsOptions) (content.Blocks, error) {
	uri, err := crateuri.Parse(in.URI)
	if err != nil {
		return nil, faultOf(err)
	}
	settler := c.asker(ask, opt)
	if uri.Version == "" {
		found, err := c.versions(ctx, settler, uri, opt.MaxResponseBytes)
		return found.blocks, err
	}
	settler.documented = uri.Root == crateuri.Items || uri.Root == crateuri.Sources
	chosen, err := settler.resolveVersion(ctx, uri.Crate, uri.Version)
	if err != nil {
		return nil, err
	}
	uri.Crate, uri.Version = chosen.name, chosen.version
	var answer render.Answer
	switch uri.Root {
	case "":
		answer, err = c.metadata(ctx, settler.clock, uri, opt.MaxResponseBytes)
	case crateuri.Readme:
		answer, err = c.readme(ctx, settler.clock, uri, opt.MaxResponseBytes)
	default:
		answer, err = c.page(ctx, c.reader(settler, ask, opt, call), uri, chosen, opt.MaxResponseBytes)
	}
	if err != nil {
		return nil, faultOf(err)
	}
	return blocks(answer, chosen.remarks...), nil
}

// page reads an item or a source file, or lists all items or source files.
func (c *Crates) page(ctx context.Context, r reader, uri crateuri.URI, chosen choice, limit int) (answer render.Answer, err error) {
	if uri.Root == crateuri.Items && uri.Path == "" {
		return c.items(ctx, r, uri, chosen, limit)
	}
	err = r.read(ctx, chosen, func(docs *rustdoc.Docs) error {
		switch {
		case uri.Path == "":
			pages, err := docs.SourcePages(uri)
			answer = render.Sources(uri, pages, limit)
			return err
		case uri.Root == crateuri.Sources:
			text, err := docs.Source(uri)
			answer = render.Source(uri, text, limit)
			return err
		}
		item, err := docs.Item(uri)
		answer = render.Item(uri, item, limit)
		return err
	})
	return answer, err
}

func (c *Crates) metadata(ctx context.Context, clock *clock, uri crateuri.URI, limit int) (answer render.Answer, err error) {
	var m *registry.Metadata
	err = clock.run(ctx, func(ctx context.Context) error {
		m, err = c.Library.Metadata(ctx, uri.Crate)
		return err
	})
	if err != nil {
		return answer, err
	}
	i := slices.IndexFunc(m.Versions, func(v registry.Version) bool { return v.Num == uri.Version })
	if i < 0 {
		return answer, fault.New(fault.NotFound, "crates.io has no version %s of %s; use crate_versions to list them", uri.Version, uri.Crate)
	}
	return render.Metadata(uri, m, m.Versions[i], limit), nil
}

func (c *Crates) readme(ctx context.Context, clock *clock, uri crateuri.URI, limit int) (answer render.Answer, err error) {
	var page string
	err = clock.run(ctx, func(ctx context.Context) error {
		page, err = c.Library.Registry().Readme(ctx, uri.Crate, uri.Version)
		return err
	})
	if err != nil {
		return answer, err
	}
	if page == "" {
		return render.Answer{Remarks: []string{uri.Crate + " " + uri.Version + " has no README."}}, nil
	}
	text, err := rustdoc.Readme(page)
	if err != nil {
		return answer, permanentFault("the README cannot be read")
	}
	return render.Readme(uri, text, limit), nil
}

// versions lists the versions of a crate that are not yanked.
func (c *Crates) versions(ctx context.Context, settler asker, list crateuri.URI, limit int) (VersionsResult, error) {
	var found *registry.Versions
	meant, err := settler.resolveName(ctx, list.Crate, func(ctx context.Context, name string) (err error) {
		found, err = c.Library.Versions(ctx, name)
		return err
	})
	if err != nil {
		return VersionsResult{}, err
	}
	var remarks []string
	if meant != list.Crate {
		remarks = append(remarks, "The crate is called "+meant+".")
	}
	if !found.AsOf.IsZero() {
		remarks = append(remarks, asOfRemark(found.AsOf))
	}
	list.Crate = meant
	all := slices.DeleteFunc(slices.Clone(found.List), func(v registry.Version) bool { return v.Yanked })
	shown, answer := render.Versions(list, all, limit)
	return VersionsResult{meant, shown, blocks(answer, remarks...)}, nil
}
