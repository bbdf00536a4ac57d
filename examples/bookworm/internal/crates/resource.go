package crates

import (
	"context"
	"slices"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/index"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
	"github.com/jptool/jptool/examples/bookworm/internal/render"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// ResourceInput is the input of crate_resource.
type ResourceInput struct {
	// URI of a crate, its README, its items or its sources, such as "crate://serde/latest/readme".
	URI string `json:"uri" jsonschema:"minLength=1,maxLength=4096"`
}

// Read the resource at a crate:// URI. crate://NAME lists versions; crate://NAME/VERSION has metadata; add
// /readme for the README as Markdown, /items for all items, /src for the source files.
// crate://NAME/VERSION/items/PATH.html#FRAGMENT is one item, crate://NAME/VERSION/src/LIB/FILE.rs is a source
// file, and #L10-L40 selects lines of it. VERSION is latest, a version, or a requirement.
//
//jp:tool name=crate_resource title="Read a crate:// resource" readonly=true openworld=true
//jp:fails not_found unavailable timeout input_declined
func (c *Crates) Resource(ctx context.Context, call *tool.Call, in ResourceInput, ask DocsQuestions, opt DocsOptions) (content.Blocks, error) {
	uri, err := crateuri.Parse(in.URI)
	if err != nil {
		return nil, failed(err)
	}
	if uri.Version == "" {
		found, err := c.versions(ctx, uri.Crate, ask.PickCrate, opt.MaxResponseBytes)
		return found.blocks, err
	}
	settler := c.asker(ask, opt)
	settler.documented = uri.Root == crateuri.Items || uri.Root == crateuri.Sources
	chosen, err := settler.settle(ctx, uri.Crate, uri.Version)
	if err != nil {
		return nil, err
	}
	uri.Crate, uri.Version = chosen.name, chosen.asked
	var answer render.Answer
	switch uri.Root {
	case "":
		answer, err = c.metadata(ctx, uri, chosen, opt.MaxResponseBytes)
	case crateuri.Readme:
		answer, err = c.readme(ctx, uri, chosen, opt.MaxResponseBytes)
	default:
		answer, err = c.page(ctx, c.reader(ask, opt, call), uri, chosen, opt.MaxResponseBytes)
	}
	if err != nil {
		return nil, failed(err)
	}
	return blocks(answer, chosen.remarks...), nil
}

// page reads an item or a source file, or lists all items or source files.
func (c *Crates) page(ctx context.Context, r reader, uri crateuri.URI, chosen choice, limit int) (answer render.Answer, err error) {
	if uri.Root == crateuri.Items && uri.Path == "" {
		err = r.search(ctx, chosen, func(ix *index.Index) error {
			found, err := ix.Search(ctx, index.Query{Brief: true, Limit: limit / leastItem, Release: uri})
			answer = render.Items(uri, found, limit)
			return err
		})
		return answer, err
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

// leastItem is the minimum number of bytes of an item in a list.
const leastItem = 64

func (c *Crates) metadata(ctx context.Context, uri crateuri.URI, chosen choice, limit int) (render.Answer, error) {
	m, err := c.Library.Metadata(ctx, chosen.name)
	if err != nil {
		return render.Answer{}, err
	}
	i := slices.IndexFunc(m.Versions, func(v registry.Version) bool { return v.Num == chosen.version })
	if i < 0 {
		return render.Answer{}, fault.New(fault.NotFound, "crates.io has no version %s of %s", chosen.version, chosen.name)
	}
	return render.Metadata(uri, m, m.Versions[i], limit), nil
}

func (c *Crates) readme(ctx context.Context, uri crateuri.URI, chosen choice, limit int) (render.Answer, error) {
	page, err := c.Library.Registry().Readme(ctx, chosen.name, chosen.version)
	if err != nil {
		return render.Answer{}, err
	}
	if page == "" {
		return render.Answer{Remarks: []string{chosen.name + " " + chosen.version + " has no README."}}, nil
	}
	text, err := rustdoc.Readme(page)
	if err != nil {
		return render.Answer{}, lasting("the README cannot be read")
	}
	return render.Readme(uri, text, limit), nil
}

// versions lists the versions of a crate that are not yanked.
func (c *Crates) versions(ctx context.Context, name string, ask elicit.Pick, limit int) (VersionsResult, error) {
	var found *registry.Versions
	meant, err := named(ctx, name, ask, func(name string) (err error) {
		found, err = c.Library.Versions(ctx, name)
		return err
	})
	if err != nil {
		return VersionsResult{}, err
	}
	var remarks []string
	if meant != name {
		remarks = append(remarks, "The crate is called "+meant+".")
	}
	if !found.AsOf.IsZero() {
		remarks = append(remarks, asOf(found.AsOf))
	}
	list := slices.DeleteFunc(slices.Clone(found.List), func(v registry.Version) bool { return v.Yanked })
	answer := render.Versions(meant, list, limit)
	return VersionsResult{meant, list[:len(answer.Resources)], blocks(answer, remarks...)}, nil
}
