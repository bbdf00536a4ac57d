package crates

import (
	"context"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
	"github.com/jptool/jptool/sdk/content"
)

// VersionsInput is the input of crate_versions.
type VersionsInput struct {
	// Name on crates.io.
	CrateName string `json:"crate_name" jsonschema:"minLength=1,maxLength=64"`
}

// VersionsResult lists the versions of a crate.
type VersionsResult struct {
	// Name of the crate.
	Name string `json:"name"`
	// Newest first, without yanked versions.
	Versions []registry.Version `json:"versions"`
	blocks   content.Blocks     `json:"-"`
}

// Blocks returns a resource for each version.
func (r VersionsResult) Blocks() content.Blocks { return r.blocks }

// List the versions of a Rust crate that are not yanked, newest first, with date, downloads and minimum Rust version.
//
//jp:tool name=crate_versions title="List crate versions" readonly=true openworld=true
//jp:fails not_found unavailable timeout
func (c *Crates) Versions(ctx context.Context, in VersionsInput, ask CrateQuestions, opt AnswerOptions) (VersionsResult, error) {
	settler := asker{library: c.Library, crate: ask.PickCrate, clock: c.clock(), unversioned: true}
	return c.versions(ctx, settler, crateuri.Of(in.CrateName, ""), opt.MaxResponseBytes)
}

// ReadmeInput is the input of crate_readme.
type ReadmeInput struct {
	// Name on crates.io.
	CrateName string `json:"crate_name" jsonschema:"minLength=1,maxLength=64"`
	// latest, a version, or a requirement such as >=1.2.
	CrateVersion string `json:"crate_version,omitempty" jsonschema:"maxLength=128,default=latest"`
}

// Read the README of a Rust crate, as Markdown.
//
//jp:tool name=crate_readme title="Read a README" readonly=true openworld=true
//jp:fails not_found unavailable timeout
func (c *Crates) Readme(ctx context.Context, in ReadmeInput, ask VersionQuestions, opt VersionOptions) (content.Blocks, error) {
	settler := asker{library: c.Library, crate: ask.PickCrate, version: ask.PickVersion, askVersion: opt.AskVersion, clock: c.clock()}
	chosen, err := settler.resolveVersion(ctx, in.CrateName, in.CrateVersion)
	if err != nil {
		return nil, err
	}
	uri := crateuri.URI{Crate: chosen.name, Version: chosen.version, Root: crateuri.Readme}
	answer, err := c.readme(ctx, settler.clock, uri, opt.MaxResponseBytes)
	if err != nil {
		return nil, faultOf(err)
	}
	return blocks(answer, chosen.remarks...), nil
}
