package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/manifest"
)

// Contract returns what the server publishes, without its hash.
func (s *Server) Contract() (*manifest.Server, error) {
	c := &manifest.Server{
		Format: manifest.Format, Name: s.Name, Description: s.Description,
		Clients: s.Clients, Unknown: s.Unknown, Envelope: s.Envelope, Tools: []manifest.Tool{},
	}
	for _, code := range s.Codes {
		c.Codes = append(c.Codes, manifest.Code{Name: code.Name, Description: code.Description})
	}
	for _, t := range s.Tools {
		tool, err := t.contract(s.Envelope)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name, err)
		}
		c.Tools = append(c.Tools, tool)
	}
	slices.SortFunc(c.Tools, func(x, y manifest.Tool) int { return strings.Compare(x.Name, y.Name) })
	return c, nil
}

func (t *Tool) contract(envelope bool) (manifest.Tool, error) {
	c := manifest.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, Version: t.Version,
		Annotations: t.Annotations, Mutates: t.Mutates, Files: t.Files, Fails: t.Fails,
	}
	for _, a := range t.Aliases {
		c.Aliases = append(c.Aliases, manifest.Alias{Name: a.Name, Until: a.Until})
	}
	input := t.Input
	if input == nil {
		input = &schema.Object{}
	}
	var err error
	if c.Input, err = schema.Write(schema.Of(input, schema.In)); err != nil {
		return c, err
	}
	if t.Options != nil {
		if c.Options, err = schema.Write(schema.Of(t.Options, schema.In)); err != nil {
			return c, err
		}
	}
	if output := t.Result.schema(envelope); output != nil {
		if c.Output, err = schema.Write(output); err != nil {
			return c, err
		}
	}
	if t.Questions != nil {
		for _, q := range t.Questions.List {
			c.Questions = append(c.Questions, q.contract())
		}
		slices.SortFunc(c.Questions, func(x, y manifest.Question) int { return strings.Compare(x.ID, y.ID) })
	}
	return c, nil
}

// schema returns that of the structured content, nil where there is none.
func (r Result) schema(envelope bool) *jsonschema.Schema {
	var data *jsonschema.Schema
	switch {
	case r.Form == Wrapped:
		data = schema.Wrapped(r.Shape, r.Description)
	case r.Shape != nil:
		data = schema.OfShape(r.Shape, schema.Out)
	}
	switch {
	case !envelope || r.Form == Blocks: // blocks are no JSON, and go out as they are
		return data
	case r.Form == Text:
		data = schema.Wrapped(&schema.Shape{Kind: schema.String}, "The result.")
	}
	return schema.Enveloped(data)
}

func (q *Question) contract() manifest.Question {
	asked := q.asked()
	c := manifest.Question{
		ID: q.ID, Kind: q.Kind.String(), Description: q.Description,
		Default: []byte(q.Constraints.Default), Schema: manifest.Schema(asked.Schema()),
	}
	for _, v := range q.Values {
		c.Answers = append(c.Answers, manifest.Value{Value: v.Name, Description: v.Description})
	}
	return c
}

// asked returns the question as the runtime knows it, whose schema is the one that
// hosts see.
func (q *Question) asked() elicit.Question {
	asked := elicit.Question{Kind: q.Kind, Spec: spec(q.ID, q.Description, q.Constraints), Options: options(q.Values)}
	for _, f := range q.Fields {
		asked.Fields = append(asked.Fields, f.asked())
	}
	return asked
}

func spec(id, description string, c schema.Constraints) elicit.Spec {
	return elicit.Spec{
		ID: id, Description: description, Default: c.Default, Pattern: c.Pattern,
		MinLength: count(c.MinLength), MaxLength: count(c.MaxLength),
		Minimum: bound(c.Minimum), Maximum: bound(c.Maximum),
	}
}

func options(values []schema.Value) []elicit.Option {
	var all []elicit.Option
	for _, v := range values {
		all = append(all, elicit.Option{Value: v.Name, Description: v.Description})
	}
	return all
}

func count(text string) int {
	n, _ := strconv.Atoi(text) // "" is no bound
	return n
}

func bound(text string) *float64 {
	var f float64
	if text == "" || json.Unmarshal([]byte(text), &f) != nil {
		return nil
	}
	return &f
}
