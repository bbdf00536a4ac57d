package crates

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

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
	// Words in names, keywords and descriptions.
	Query string `json:"query" jsonschema:"minLength=1,maxLength=200"`
}

// SearchResult lists the crates that were found.
type SearchResult struct {
	// Best match first.
	Crates []registry.Crate `json:"crates"`
	blocks content.Blocks   `json:"-"`
}

// Blocks returns a resource for each crate.
func (r SearchResult) Blocks() content.Blocks { return r.blocks }

// Search crates.io for Rust crates. Returns at most ten, best match first: newest version, description, links, crate://
// URI for crate_resource.
//
//jp:tool name=crates_search title="Search crates" readonly=true openworld=true
//jp:fails unavailable timeout
func (c *Crates) SearchCrates(ctx context.Context, in SearchInput, opt AnswerOptions) (SearchResult, error) {
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return SearchResult{}, fault.New(fault.InvalidInput, "query: must contain at least one word")
	}
	var found []registry.Crate
	clock := c.clock()
	err := clock.run(ctx, func(ctx context.Context) (err error) {
		found, err = c.Library.Registry().Search(ctx, query)
		return err
	})
	if err != nil {
		return SearchResult{}, faultOf(err)
	}
	answer := render.Crates(found, opt.MaxResponseBytes)
	if len(found) == 0 {
		if answer.Remarks, err = c.noCrates(ctx, clock, query); err != nil {
			return SearchResult{}, faultOf(err)
		}
	}
	return SearchResult{found[:len(answer.Resources)], blocks(answer)}, nil
}

// noCrates returns text for a search without results. It says which words of the search have
// results.
func (c *Crates) noCrates(ctx context.Context, clock *clock, query string) ([]string, error) {
	words := strings.FieldsFunc(query, func(r rune) bool { return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if name, _ := crateuri.Meant(query); name != "" {
		words = slices.Insert(words, 0, name)
	}
	var match []string
	words = slices.Compact(words)
	for _, word := range words[:min(len(words), 3)] {
		if word == query {
			continue
		}
		err := clock.run(ctx, func(ctx context.Context) error {
			found, err := c.Library.Registry().Search(ctx, word)
			if len(found) > 0 {
				match = append(match, fmt.Sprintf("%q (%s)", word, found[0].Name))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(match) == 0 {
		return []string{fmt.Sprintf("No crates match %q; search for other words in a crate's description.", query)}, nil
	}
	return []string{fmt.Sprintf("No crates match %q; search for %s.", query, strings.Join(match, " or "))}, nil
}

// SearchItemsInput is the input of crate_search_items.
type SearchItemsInput struct {
	// Name on crates.io.
	CrateName string `json:"crate_name" jsonschema:"minLength=1,maxLength=64"`
	// latest, a version, or a requirement such as >=1.2.
	CrateVersion string `json:"crate_version,omitempty" jsonschema:"maxLength=128,default=latest"`
	// Part of the path, case-insensitive, such as Value::pointer. A space or % matches any text: Val% matches a
	// prefix, %Val a suffix.
	Query string `json:"query" jsonschema:"minLength=1,maxLength=200"`
	// Kinds to return; empty for all.
	Kinds []EntryType `json:"kinds,omitempty" jsonschema:"maxItems=50"`
}

// Search the types, functions, methods, macros and other items of a Rust crate by path. Returns path, kind, signature,
// first paragraph, and crate:// URIs of documentation and source for crate_resource, best match first. Downloads the
// documentation when first needed.
//
//jp:tool name=crate_search_items title="Search crate items" readonly=true openworld=true budget=25000
//jp:fails not_found unavailable timeout input_declined
func (c *Crates) SearchItems(ctx context.Context, call *tool.Call, in SearchItemsInput, ask DocsQuestions, opt DocsOptions) (content.Blocks, error) {
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return nil, fault.New(fault.InvalidInput, "query: must contain part of a name")
	}
	settler := c.asker(ask, opt)
	chosen, err := settler.resolveVersion(ctx, in.CrateName, in.CrateVersion)
	if err != nil {
		return nil, err
	}
	uri := crateuri.URI{Crate: chosen.name, Version: chosen.version, Root: crateuri.Items, Search: query}
	for i, kind := range kinds(in.Kinds) {
		uri.Kinds += strings.Repeat(",", min(i, 1)) + string(kind)
	}
	answer, err := c.items(ctx, c.reader(settler, ask, opt, call), uri, chosen, opt.MaxResponseBytes)
	if err != nil {
		return nil, faultOf(err)
	}
	return blocks(answer, chosen.remarks...), nil
}

// items lists the items of a release that a URI selects. Without text to search for, each item is one line.
func (c *Crates) items(ctx context.Context, r reader, uri crateuri.URI, chosen choice, limit int) (answer render.Answer, err error) {
	only, err := readKinds(uri.Kinds)
	if err != nil {
		return answer, err
	}
	q := index.Query{Text: uri.Search, Kinds: only, Skip: uri.Offset(), Release: uri}
	if uri.Search == "" {
		q.Brief, q.Limit = true, min(limit, render.MaxLimit)/leastItem
	}
	err = r.search(ctx, chosen, func(ix *index.Index) error {
		found, err := ix.Search(ctx, q)
		if uri.Search == "" {
			answer = render.List(uri, found, limit)
		} else {
			answer = render.Items(uri, found, limit)
		}
		if err == nil && found.Total == 0 {
			answer = render.Answer{Remarks: []string{none(ix, q)}}
		}
		return err
	})
	return answer, err
}

// none returns text for a search without results. It says which similar searches have results.
func none(ix *index.Index, q index.Query) string {
	text, search := fmt.Sprintf("No items match %q", q.Text), "; search for "
	hints := ix.Hints(q)
	if len(q.Kinds) > 0 && len(hints) == 0 {
		q.Kinds, text = nil, fmt.Sprintf("No items of these kinds match %q", q.Text)
		if n := ix.Count(q); n > 0 {
			return fmt.Sprintf("%s; without kinds, %d match.", text, n)
		}
		if hints = ix.Hints(q); len(hints) > 0 {
			search = "; omit kinds and search for "
		}
	}
	if len(hints) == 0 {
		return fmt.Sprintf("%s; %s lists all %d items.", text, crateuri.URI{Crate: q.Release.Crate, Version: q.Release.Version, Root: crateuri.Items}, ix.Len())
	}
	var all []string
	for _, h := range hints {
		all = append(all, fmt.Sprintf("%q (%d)", h.Text, h.Total))
	}
	return text + search + strings.Join(all, " or ") + "."
}

// leastItem is the minimum number of bytes of an item in a list.
const leastItem = 64

func (c *Crates) asker(ask DocsQuestions, opt DocsOptions) asker {
	return asker{library: c.Library, crate: ask.PickCrate, version: ask.PickVersion, askVersion: opt.AskVersion, documented: true, clock: c.clock()}
}

func (c *Crates) reader(a asker, ask DocsQuestions, opt DocsOptions, call *tool.Call) reader {
	return reader{library: c.Library, confirm: ask.ConfirmFetch, unasked: opt.ConfirmAboveBytes, call: call, clock: a.clock}
}

// clock returns the clock of a call.
func (c *Crates) clock() *clock { return &clock{c.Library.Patience()} }
