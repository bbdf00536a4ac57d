package hostconfig

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// tool writes the table of a tool.
func (f jpFormat) tool(b *bytes.Buffer, e Entry, t manifest.Tool) error {
	table := "conversation.tools." + key(t.Name)
	readonly := isReadOnly(t)
	run := "ask"
	if readonly {
		run = "unattended"
	}
	fmt.Fprintf(b, "[%s]\n", table)
	if e.As == JPLocal {
		fmt.Fprintf(b, "source = \"local\"\ncommand = %s\n", e.jpCommand("call", t))
		fmt.Fprintf(b, "style.parameters = %s\nrun = %q\n", e.jpCommand("format", t), run)
		if !readonly {
			b.WriteString("format = \"unattended\" # show the arguments before asking for approval\n")
		}
		words(b, "", t.Description)
	} else {
		fmt.Fprintf(b, "source = %s\nrun = %q\n", str("mcp."+e.Name+"."+t.Name), run)
	}
	if e.As != JPMCP {
		if err := settings(b, e.Contract.Name, t); err != nil {
			return err
		}
	}
	if e.As == JPLocal && t.Files {
		rule := `path = ".", read = true`
		if !readonly {
			rule += ", write = true"
		}
		fmt.Fprintf(b, "# access.fs = [{ %s }] # without rules, the tool can use all files in the workspace\n", rule)
	}
	input, err := shape.Parse(jsontext.Value(t.Input))
	if err != nil {
		return err
	}
	for _, p := range input.Properties {
		if e.As == JPLocal || losesParts(p.Schema) {
			fmt.Fprintf(b, "\n[%s.parameters.%s]\n", table, key(p.Name))
			parameter(b, "", p)
		}
	}
	return nil
}

func isReadOnly(t manifest.Tool) bool {
	return t.Annotations.ReadOnly != nil && *t.Annotations.ReadOnly
}

// jpCommand returns the command with which a local tool runs or formats a call. JP reads the program and each
// argument as a template.
func (e Entry) jpCommand(word string, t manifest.Tool) string {
	var words []string
	for _, w := range append(slices.Clone(e.Command), word, t.Name) {
		words = append(words, untemplated.Replace(w))
	}
	args := append(words[1:], "{{tool}}", "{{context}}")
	return fmt.Sprintf("{ program = %s, args = %s, shell = false }", str(words[0]), list(args))
}

// untemplated escapes the characters that start an expression, a statement or a comment in JP's templates.
var untemplated = strings.NewReplacer("{{", "{{'{{'}}", "{%", "{{'{%'}}", "{#", "{{'{#'}}")

// settings writes the questions and options of a tool, which the user may configure, as comments.
func settings(b *bytes.Buffer, server string, t manifest.Tool) error {
	setting := func(name, value string, s shape.Schema) {
		line := fmt.Sprintf("# %s = %s # %s: %s", name, cmp.Or(value, "…"), s.Type(), phrase.OneLine(s.Description))
		b.WriteString(strings.TrimSuffix(line, ": ") + "\n")
	}
	for _, q := range t.Questions {
		if q.Exclusive == "person" || q.Kind == "secret" || q.Kind == "visit" {
			continue
		}
		answer, err := shape.Parse(q.Schema)
		if err != nil {
			return err
		}
		fields := answer.Properties
		if len(fields) == 0 || q.PerSubject {
			answer.Description = q.Description
			if q.Subjects {
				answer.Description += " The answer applies each time the question is asked."
			}
			fields = []shape.Property{{Schema: answer}}
		}
		if q.PerSubject {
			fields[0].Name = "SUBJECT"
			fields[0].Description += " SUBJECT is the subject of the question; each subject has its own answer."
		}
		for _, field := range fields { // JP asks separately for each field of a form
			id := strings.TrimSuffix(q.ID+"-"+field.Name, "-")
			setting("questions."+key(id)+".answer", "", field.Schema)
		}
	}
	options, err := shape.Parse(t.Options)
	for _, p := range options.Properties {
		if p.Secret {
			fmt.Fprintf(b, "# %s is a secret: set %s in the environment of JP\n", p.Name, t.Variable(server, p.Name))
			continue
		}
		value, ok := literal(p.Default)
		if !ok {
			value = ""
		}
		if slices.Contains(t.Shared, p.Name) {
			p.Description += fmt.Sprintf(" %s in the environment of JP sets it for all tools.", t.Variable(server, p.Name))
		}
		setting("options."+key(p.Name), value, p.Schema)
	}
	return err
}

// words writes a description in two parts: a summary that JP shows to the model, and the rest, which JP shows if
// the model asks for it.
func words(b *bytes.Buffer, prefix, description string) {
	summary, rest := phrase.SplitSentence(description)
	if summary != "" {
		fmt.Fprintf(b, "%ssummary = %s\n", prefix, str(summary))
	}
	if rest != "" {
		fmt.Fprintf(b, "%sdescription = %s\n", prefix, str(rest))
	}
}

// parameter writes a parameter, or a part of it, and its nested parts. Each key starts with the prefix.
func parameter(b *bytes.Buffer, prefix string, p shape.Property) {
	fmt.Fprintf(b, "%stype = %s\n", prefix, types(p.Schema))
	if p.Required {
		fmt.Fprintf(b, "%srequired = true\n", prefix)
	}
	words(b, prefix, p.Description)
	values := jsontext.Value("[" + strings.Join(p.Schema.Values(), ",") + "]")
	if text, ok := literal(values); ok && len(p.Choices) > 0 {
		fmt.Fprintf(b, "%senum = %s\n", prefix, text)
	}
	if text, ok := literal(p.Default); ok {
		fmt.Fprintf(b, "%sdefault = %s\n", prefix, text)
	}
	items := p.Items
	if items == nil && slices.Contains(p.Kinds(), "array") {
		items = &shape.Schema{} // providers reject a list without items, as JP has done since its PR 998
	}
	if items != nil {
		parameter(b, prefix+"items.", shape.Property{Schema: *items})
	}
	for _, member := range p.Properties {
		if len(p.Cases) > 0 { // JP would add the default to the objects of all cases
			member.Default = nil
		}
		parameter(b, prefix+"properties."+key(member.Name)+".", member)
	}
}

// losesParts reports whether JP reads only a part of a parameter from the schema of an MCP server. JP aborts a query
// if a parameter has no type. For items, it reads only the type, and it reads nothing about members (jp_llm,
// merge_mcp_param).
func losesParts(s shape.Schema) bool {
	return !hasType(s) || len(s.Properties) > 0 || s.Items != nil && (losesParts(*s.Items) || s.Items.Items != nil || len(s.Items.Choices) > 0)
}

// sameFormat returns the style of an existing table. If it formats the arguments with a program built with jptool, the
// new style has the program and flags of the new command, because JP does not call a tool whose arguments it cannot
// format.
func sameFormat(have, want any) any {
	style, _ := have.(map[string]any)
	args, _ := at(style, []string{"parameters", "args"})
	if args, _ := args.([]any); len(args) < 4 || args[len(args)-4] != "format" || args[len(args)-2] != "{{tool}}" {
		return have
	}
	style = maps.Clone(style)
	style["parameters"], _ = at(want.(map[string]any), []string{"parameters"})
	return style
}

// keepWords returns the wanted parameters. An existing parameter keeps its descriptions, because the user may have
// changed them.
func keepWords(have, want any) any {
	old, _ := have.(map[string]any)
	parameters, ok := want.(map[string]any)
	if !ok {
		return want
	}
	all := map[string]any{}
	for name, p := range parameters {
		all[name] = keepWordsOf(old[name], p)
	}
	return all
}

// keepWordsOf is like keepWords, but for one parameter or for the items of a list.
func keepWordsOf(have, want any) any {
	old, inFile := have.(map[string]any)
	p, ok := want.(map[string]any)
	if !inFile || !ok {
		return want
	}
	p = maps.Clone(p)
	for _, text := range []string{"summary", "description", "examples"} {
		if delete(p, text); old[text] != nil {
			p[text] = old[text]
		}
	}
	if p["properties"] != nil {
		p["properties"] = keepWords(old["properties"], p["properties"])
	}
	if p["items"] != nil {
		p["items"] = keepWordsOf(old["items"], p["items"])
	}
	return p
}

// readTypes returns the types that JP reads from a schema: the value of "type", or the type of each member of
// anyOf.
func readTypes(s shape.Schema) (all []string) {
	var k struct {
		Type  any
		AnyOf []struct{ Type any }
	}
	_ = json.Unmarshal(s.Written, &k) // a schema that does not decode has no type for JP
	switch t := k.Type.(type) {
	case string:
		return []string{t}
	case []any:
		for _, v := range t {
			if s, ok := v.(string); ok {
				all = append(all, s)
			}
		}
		return all
	}
	for _, part := range k.AnyOf {
		if s, ok := part.Type.(string); ok && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// hasType reports whether a schema has a type, other than null, that JP can read.
func hasType(s shape.Schema) bool {
	return slices.ContainsFunc(readTypes(s), func(t string) bool { return t != "null" })
}

// types returns the types of a schema as TOML. If JP cannot read a type, types derives it, because JP does not
// support $ref, oneOf, allOf, or the types of constants.
func types(s shape.Schema) string {
	all := readTypes(s)
	if !hasType(s) {
		if all = s.Kinds(); len(all) == 0 {
			all = []string{"string"}
		}
	}
	if len(all) == 1 {
		return str(all[0])
	}
	return list(all)
}

// literal is like [value], but for JSON text.
func literal(text jsontext.Value) (string, bool) {
	return value(shape.Decode(text))
}
