package crates

import (
	"context"
	"strings"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/index"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
	"github.com/jptool/jptool/examples/bookworm/internal/render"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// SearchInput is the input of crates_search.
type SearchInput struct {
	// Words to search for in the names, keywords and descriptions of crates.
	Query string `json:"query" jsonschema:"minLength=1,maxLength=200"`
}

// SearchResult lists the crates that were found.
type SearchResult struct {
	// Crates that match, best match first.
	Crates []registry.Crate `json:"crates"`
	blocks content.Blocks
}

// Blocks returns a resource for each crate.
func (r SearchResult) Blocks() content.Blocks { return r.blocks }

// Search crates.io for Rust crates. Returns at most ten, best match first, each with its newest version,
// description and links, as a resource with a crate:// URI that crate_resource can read.
//
//jp:tool name=crates_search title="Search crates" readonly=true openworld=true
//jp:fails unavailable timeout
func (c *Crates) SearchCrates(ctx context.Context, in SearchInput, opt AnswerOptions) (SearchResult, error) {
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return SearchResult{}, fault.New(fault.InvalidInput, "query: must contain at least one word")
	}
	found, err := c.Library.Registry().Search(ctx, query)
	if err != nil {
		return SearchResult{}, failed(err)
	}
	answer := render.Crates(found, opt.MaxResponseBytes)
	return SearchResult{found[:len(answer.Resources)], blocks(answer)}, nil
}

// SearchItemsInput is the input of crate_search_items.
type SearchItemsInput struct {
	// Name of the crate, as on crates.io.
	CrateName string `json:"crate_name" jsonschema:"minLength=1,maxLength=64"`
	// Version of the crate: "latest", a version such as "1.0.228", or a requirement such as "1", "^1.2" or ">=1, <2".
	CrateVersion string `json:"crate_version,omitempty" jsonschema:"maxLength=128,default=latest"`
	// Part of the path of the items, case-insensitive, such as "Value::pointer". A space or % matches any
	// text; "Val%" matches names that begin with Val, "%Val" names that end with it.
	Query string `json:"query" jsonschema:"minLength=1,maxLength=200"`
	// Kinds of items to return; an empty list returns all kinds.
	Kinds []EntryType `json:"kinds,omitempty" jsonschema:"maxItems=50"`
}

// Search the items of a Rust crate, such as its types, functions, methods and macros, by a part of their full
// path, case-insensitive. Returns the path, kind, type signature and documentation of each, best match first,
// and crate:// URIs of its documentation and source that crate_resource can read. Downloads the documentation
// of the crate when it is first needed.
//
//jp:tool name=crate_search_items title="Search the items of a crate" readonly=true openworld=true
//jp:fails not_found unavailable timeout input_declined
func (c *Crates) SearchItems(ctx context.Context, call *tool.Call, in SearchItemsInput, ask DocsQuestions, opt DocsOptions) (content.Blocks, error) {
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return nil, fault.New(fault.InvalidInput, "query: must contain a part of a name")
	}
	chosen, err := c.asker(ask, opt).settle(ctx, in.CrateName, in.CrateVersion)
	if err != nil {
		return nil, err
	}
	release := crateuri.Of(chosen.name, chosen.asked)
	var found index.Result
	err = c.reader(ask, opt, call).search(ctx, chosen, func(ix *index.Index) (err error) {
		found, err = ix.Search(ctx, index.Query{Text: query, Kinds: kinds(in.Kinds), Release: release})
		return err
	})
	if err != nil {
		return nil, failed(err)
	}
	return blocks(render.Items(release, found, opt.MaxResponseBytes), chosen.remarks...), nil
}

func (c *Crates) asker(ask DocsQuestions, opt DocsOptions) asker {
	return asker{library: c.Library, crate: ask.PickCrate, version: ask.PickVersion, askVersion: opt.AskVersion, documented: true}
}

func (c *Crates) reader(ask DocsQuestions, opt DocsOptions, call *tool.Call) reader {
	return reader{library: c.Library, confirm: ask.ConfirmFetch, unasked: opt.ConfirmAboveBytes, call: call}
}
