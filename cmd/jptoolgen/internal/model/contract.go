package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Contract returns the contract of the server, without digests.
func (s *Server) Contract() (*manifest.Server, error) {
	c := s.Server
	c.Format, c.Tools = manifest.Format, []manifest.Tool{}
	for _, code := range s.Codes {
		c.Codes = append(c.Codes, code.Code)
	}
	for _, t := range s.Tools {
		tool, err := t.contract(s)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", t.Kind, t.Name, err)
		}
		switch {
		case t.Kind == Prompt:
			c.Prompts = append(c.Prompts, t.prompt(tool))
		case t.Template != nil:
			c.Templates = append(c.Templates, t.resource(tool))
		case t.Kind == Resource:
			c.Resources = append(c.Resources, t.resource(tool))
		default:
			c.Tools = append(c.Tools, tool)
		}
	}
	if s.Skills != nil {
		c.Skills = s.Skills.Skills
	}
	slices.SortFunc(c.Tools, func(x, y manifest.Tool) int { return strings.Compare(x.Name, y.Name) })
	slices.SortFunc(c.Resources, func(x, y manifest.Resource) int { return strings.Compare(x.URI, y.URI) })
	slices.SortFunc(c.Templates, func(x, y manifest.Resource) int { return strings.Compare(x.URITemplate, y.URITemplate) })
	slices.SortFunc(c.Prompts, func(x, y manifest.Prompt) int { return strings.Compare(x.Name, y.Name) })
	return &c, nil
}

func (t *Tool) contract(s *Server) (manifest.Tool, error) {
	c := t.Tool
	for _, a := range t.Aliases {
		c.Aliases = append(c.Aliases, a.Alias)
	}
	input := t.Input
	if input == nil {
		input = &schema.Object{}
	}
	var err error
	arguments := schema.Of(input, schema.In)
	if s.Unknown == manifest.Ignore {
		schema.Open(arguments)
	}
	if t.Closed {
		schema.Close(arguments)
	}
	if c.Input, err = schema.Write(arguments); err != nil {
		return c, err
	}
	if t.Exact != nil {
		c.Input = t.Exact
	}
	if t.Options != nil {
		options := schema.Of(t.Options, schema.In)
		schema.Open(options) // a host may set options for another version of the server
		if c.Options, err = schema.Write(options); err != nil {
			return c, err
		}
	}
	if output := t.Result.schema(s.Envelope, t.codes()); output != nil && t.Kind == Callable {
		if c.Output, err = schema.Write(output); err != nil {
			return c, err
		}
	}
	if t.ExactResult != nil {
		c.Output = t.ExactResult
	}
	if t.Questions != nil {
		for _, q := range t.Questions.List {
			c.Questions = append(c.Questions, q.contract())
		}
		slices.SortFunc(c.Questions, func(x, y manifest.Question) int { return strings.Compare(x.ID, y.ID) })
	}
	return c, nil
}

// codes returns all codes that the tool can fail with: the base codes in their order, then the codes of the
// server.
func (t *Tool) codes() []any {
	var all []any
	for _, code := range fault.Base() {
		if slices.Contains(fault.Common(), code) || slices.Contains(t.Fails, string(code)) {
			all = append(all, string(code))
		}
	}
	for _, name := range t.Fails {
		if !fault.Code(name).IsBase() {
			all = append(all, name)
		}
	}
	return all
}

// schema returns the schema of the structured content, or nil for a result without structured content. codes are the
// codes of the tool.
func (r Result) schema(envelope bool, codes []any) *jsonschema.Schema {
	var data *jsonschema.Schema
	switch {
	case r.Form == Wrapped:
		data = schema.Wrapped(r.Shape, r.Description)
	case r.Shape != nil:
		data = schema.OfShape(r.Shape, schema.Out)
	}
	if r.Chosen {
		list, _ := data.Properties.Get(r.List)
		list.Items.Required = nil
	}
	switch {
	case !envelope || r.Form == Blocks: // blocks are not structured content
		return data
	case r.Form == Text:
		data = schema.Wrapped(&schema.Shape{Kind: schema.String}, "The result.")
	}
	return schema.Enveloped(data, codes)
}

func (q *Question) contract() manifest.Question {
	c := manifest.Question{
		ID: q.ID, Kind: string(q.Kind), Description: q.Description, Exclusive: string(q.Exclusive), Subjects: q.Subjects, PerSubject: q.PerSubject,
		Relay: q.Relay, Default: []byte(q.Constraints.Default), Schema: manifest.Schema(q.runtimeSpec().Schema()),
	}
	for _, v := range q.Values {
		c.Answers = append(c.Answers, manifest.Value{Value: v.Name, Description: v.Description})
	}
	return c
}

// runtimeSpec returns the declaration that the runtime uses, and that determines the schema.
func (s Spec) runtimeSpec() question.Spec {
	c := s.Constraints
	q := question.Spec{
		ID: s.ID, Description: s.Description, Kind: s.Kind, Integer: s.Integer, Optional: s.Optional,
		Default: c.Default, Pattern: c.Pattern, Format: c.Format,
		MinLength: count(c.MinLength), MaxLength: count(c.MaxLength),
		MinItems: count(c.MinItems), MaxItems: count(c.MaxItems),
		Minimum: bound(c.Minimum), Maximum: bound(c.Maximum),
	}
	for _, v := range s.Values {
		q.Options = append(q.Options, question.Option{Value: v.Name, Description: v.Description})
	}
	for _, f := range s.Fields {
		q.Fields = append(q.Fields, f.runtimeSpec())
	}
	return q
}

func count(text string) int {
	n, _ := strconv.Atoi(text) // "" means that there is no bound
	return n
}

func bound(text string) *float64 {
	var f float64
	if text == "" || json.Unmarshal([]byte(text), &f) != nil {
		return nil
	}
	return &f
}
