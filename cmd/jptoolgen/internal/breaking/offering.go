package breaking

import (
	"maps"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// resources compares the resources or the templates of two servers.
func (c *comparison) resources(where string, o, n []manifest.Resource) {
	name := func(r *manifest.Resource) candidate {
		uri := r.URI + r.URITemplate
		return candidate{name: uri, description: r.Name, shape: r.MIMEType}
	}
	// Many URIs are similar, so only the name tells which resource was renamed.
	likeness := func(x, y *candidate) float64 {
		if x.description == "" || x.description != y.description {
			return 0
		}
		return 1 + similarity(x.letters, y.letters)
	}
	l := list[manifest.Resource]{c: c, kind: "resource", where: where + ".", name: name, likeness: likeness}
	l.rename = func(o, n *manifest.Resource, where, detail string) {
		names, more, same := renamedVariables(o.URITemplate, n.URITemplate)
		if !same {
			c.add("resource-renamed", "", where, detail)
			return
		}
		for _, from := range slices.Sorted(maps.Keys(names)) {
			c.add("variable-renamed", "", where+"."+names[from], describeChange(from, names[from]))
		}
		for _, name := range more {
			if n.Input == nil || o.Input == nil { // otherwise, the comparison of the schemas reports it
				c.add("variable-added", "", where+"."+name, "")
			}
		}
	}
	l.compare(o, n, func(o, n *manifest.Resource, where string) { c.resource(o, n, where) })
}

// resource compares two versions of a resource or template.
func (c *comparison) resource(o, n *manifest.Resource, where string) {
	if o.MIMEType == "" {
		c.addChange("resource-type-added", "", where, "", nil, orNil(n.MIMEType))
	} else {
		c.addChange("resource-type-changed", "", where, "", o.MIMEType, n.MIMEType)
	}
	c.addChange("resource-words", "", where, "name ", o.Name, n.Name)
	c.entry("", where, o.Entry(), n.Entry())
	c.jsonTexts("resource-words", "", where, "", decodeOrNil(o.Other), decodeOrNil(n.Other))
	c.addChange("resource-ttl", "", where+".ttl_ms", "", orNil(o.TTL), orNil(n.TTL))
	c.toggle("", where, o.Lists, n.Lists, "resource-listed", "resource-unlisted")
	c.toggle("", where, o.Watches, n.Watches, "resource-watched", "resource-unwatched")
	c.toggle("", where, o.Directory, n.Directory, "directory-gained", "directory-lost")
	names, _, same := renamedVariables(o.URITemplate, n.URITemplate)
	if !same {
		names = nil
	}
	before, after := o.AsTool(), n.AsTool()
	before.Input = withNames(before.Input, names)
	if (o.Input == nil) != (n.Input == nil) { // a list of templates has no schemas
		before.Input, after.Input = nil, nil
	}
	c.offering(Resource, where, before, after)
	c.completes(where, o.Completes, n.Completes, names)
}

// prompts compares the prompts of two servers.
func (c *comparison) prompts(o, n []manifest.Prompt) {
	name := func(p *manifest.Prompt) candidate { return candidate{name: p.Name, description: p.Description} }
	l := list[manifest.Prompt]{c: c, kind: "prompt", where: "prompts.", name: name, likeness: propertyLikeness}
	l.compare(o, n, func(o, n *manifest.Prompt, where string) {
		c.entry("", where, o.Entry(), n.Entry())
		c.jsonTexts("prompt-words", "", where, "", decodeOrNil(o.Other), decodeOrNil(n.Other))
		c.offering(Prompt, where, o.AsTool(), n.AsTool())
		for _, a := range n.Arguments {
			if i := slices.IndexFunc(o.Arguments, func(b manifest.PromptArgument) bool { return a.Name == b.Name }); i >= 0 {
				c.jsonTexts("prompt-words", "", where+"."+a.Name, "", decodeOrNil(o.Arguments[i].Other), decodeOrNil(a.Other))
			}
		}
		c.completes(where, o.Completes, n.Completes, nil)
	})
}

// offering compares what a resource or a prompt has in common with a tool: its variables or arguments, options,
// questions and codes.
func (c *comparison) offering(part Part, where string, o, n *manifest.Tool) {
	report := c.reporter(part, "")
	input := o.Input
	before, after := shape.AsNode(decode(o.Input))["properties"], shape.AsNode(decode(n.Input))["properties"]
	for _, name := range slices.Sorted(maps.Keys(shape.AsNode(after))) {
		old, now := shape.AsNode(shape.AsNode(before)[name]), shape.AsNode(shape.AsNode(after)[name])
		if isScalar(old["type"]) && now["type"] == "string" && len(shape.Bare(now, shape.Annotations).(node)) == 1 {
			report(typeWidened, where+"."+name, describeChange(old["type"], "string")) // the value is sent as text
			property := rawjson.Get(rawjson.Get(n.Input, "properties"), name)
			properties := rawjson.Replace(rawjson.Get(input, "properties"), name, property)
			input = rawjson.Replace(input, "properties", properties)
		}
	}
	c.schemas(input, n.Input, where, report)
	c.call("", where, o, n)
}

// isScalar reports whether a type is a scalar that is not a string.
func isScalar(t any) bool { return t == "integer" || t == "number" || t == "boolean" }

// completes compares the variables or arguments that a server completes. names maps old names to new ones.
func (c *comparison) completes(where string, o, n []string, names map[string]string) {
	o = slices.Clone(o)
	for i, name := range o {
		if now := names[name]; now != "" {
			o[i] = now
		}
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(o, n)))) {
		c.toggle("", where+"."+name, slices.Contains(o, name), slices.Contains(n, name), "completion-added", "completion-removed")
	}
}

// withNames returns the schema of an object with other names for some of its properties.
func withNames(schema manifest.Schema, names map[string]string) manifest.Schema {
	if len(names) == 0 || schema == nil {
		return schema
	}
	properties, required := rawjson.Parts(rawjson.Get(schema, "properties")), rawjson.Parts(rawjson.Get(schema, "required"))
	for i := range properties {
		if now := names[properties[i].Name]; now != "" {
			properties[i].Name = now
		}
	}
	for i := range required {
		if now := names[rawjson.Text(required[i].Value)]; now != "" {
			required[i].Value = rawjson.Quote(now)
		}
	}
	schema = rawjson.Replace(schema, "properties", rawjson.Object(properties))
	if len(required) > 0 {
		schema = rawjson.Replace(schema, "required", rawjson.Array(required))
	}
	return schema
}

// renamedVariables compares two URI templates. It reports whether each URI of the old template is also one of the new
// template. In this case, names maps the old names of renamed variables to the new ones, and more holds the new variables.
func renamedVariables(o, n string) (names map[string]string, more []string, same bool) {
	before, queryBefore := expressions(o)
	after, queryAfter := expressions(n)
	if o == "" || n == "" || len(before) != len(after) {
		return nil, nil, false
	}
	names = map[string]string{}
	for i, from := range before {
		switch to := after[i]; {
		case from == to:
		case from[0] == '{' && to[0] == '{' && operator(from) == operator(to) && names[variable(from)] == "":
			names[variable(from)] = variable(to)
		default:
			return nil, nil, false
		}
	}
	at := 0
	for _, name := range queryAfter { // a variable of the query may be missing, and its name is a part of the URI
		if at < len(queryBefore) && queryBefore[at] == name {
			at++
			continue
		}
		more = append(more, name)
	}
	return names, more, at == len(queryBefore)
}

// expressions splits a URI template into literals and expressions with one variable each, and returns the variables of
// the query, which are optional.
func expressions(template string) (all, query []string) {
	for template != "" {
		literal, rest, _ := strings.Cut(template, "{")
		if literal != "" {
			all = append(all, literal)
		}
		inner, after, ok := strings.Cut(rest, "}")
		if template = after; !ok || inner == "" {
			continue
		}
		op := ""
		if strings.ContainsAny(inner[:1], "+#./;?&") {
			op, inner = inner[:1], inner[1:]
		}
		for i, name := range strings.Split(inner, ",") {
			switch {
			case op == "?" || op == "&":
				query = append(query, name)
			case i > 0:
				all = append(all, "{,"+op+" "+name)
			default:
				all = append(all, "{"+op+" "+name)
			}
		}
	}
	return all, query
}

// operator and variable return the parts of an expression that the function expressions has returned.
func operator(expression string) string {
	op, _, _ := strings.Cut(expression, " ")
	return op
}

func variable(expression string) string {
	_, name, _ := strings.Cut(expression, " ")
	return name
}

// skills compares the skills of two servers. The path of a skill identifies it, so none is renamed.
func (c *comparison) skills(o, n []manifest.Skill) {
	name := func(s *manifest.Skill) candidate { return candidate{name: s.Path} }
	l := list[manifest.Skill]{c: c, kind: "skill", where: "skills.", name: name, likeness: zeroLikeness}
	l.compare(o, n, func(o, n *manifest.Skill, where string) {
		digests := func(s *manifest.Skill) map[string]any {
			all := map[string]any{}
			for _, f := range s.Files {
				all[f.Path] = f.Digest
			}
			return all
		}
		before, after := digests(o), digests(n)
		for _, file := range slices.Sorted(maps.Keys(both(before, after))) {
			c.addChange("skill-content", "", where+"."+file, "", before[file], after[file])
		}
	})
}

func both(x, y map[string]any) map[string]any {
	all := maps.Clone(x)
	maps.Copy(all, y)
	return all
}
