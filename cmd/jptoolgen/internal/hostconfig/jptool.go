package hostconfig

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// tool writes the table of a tool.
func (f jpFormat) tool(b *bytes.Buffer, e Entry, t manifest.Tool) error {
	table := "conversation.tools." + key(t.Name)
	readonly := isReadOnly(t)
	run := "ask"
	if readonly {
		run = "unattended" // all versions of JP accept this name; later ones also accept "allow"
	}
	fmt.Fprintf(b, "[%s]\nsource = %s\n", table, str(e.source(t.Name, t.Name)))
	switch e.As {
	case JPLocal:
		// A command works in all versions of JP. Versions before JPChange run "tool" as a program.
		fmt.Fprintf(b, "command = %s\nstyle.parameters = %s\n", e.jpCommand("call", t), e.jpCommand("format", t))
	case JPPlugin:
		b.WriteString("style.parameters = \"tool\"\n")
	}
	fmt.Fprintf(b, "run = %q\n", run)
	if e.As.IsProcess() {
		if !readonly {
			b.WriteString("format = \"unattended\" # show the arguments before asking for approval\n")
		}
		words(b, "", t.Description)
	}
	if !e.isPlain() {
		if err := e.settings(b, t); err != nil {
			return err
		}
	}
	if e.As.IsProcess() && t.Files {
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
		if e.As.IsProcess() || e.OlderJP && losesParts(p.Schema) {
			fmt.Fprintf(b, "\n[%s.parameters.%s]\n", table, key(p.Name))
			parameter(b, "", p)
		}
	}
	return nil
}

// jpCommand returns the command with which a local tool runs or formats a call. JP reads the program and each
// argument as a template.
func (e Entry) jpCommand(word string, t manifest.Tool) string {
	words := slices.Clone(e.Command)
	if e.OlderJP && word == "call" && !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "--jp=") }) {
		words = append(words, "--jp=outcome-untagged")
	}
	words = untemplateAll(append(words, word, t.Name))
	args := append(words[1:], "{{tool}}", "{{context}}")
	return fmt.Sprintf("{ program = %s, args = %s, shell = false }", str(words[0]), list(args))
}

// untemplateAll escapes words for JP's templates.
func untemplateAll(words []string) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = untemplated.Replace(w)
	}
	return all
}

// untemplated escapes the characters that start an expression, a statement or a comment in JP's templates.
var untemplated = strings.NewReplacer("{{", "{{'{{'}}", "{%", "{{'{%'}}", "{#", "{{'{#'}}")

// settings writes the questions and options of a tool, which the user may configure, as comments. JP since
// [JPChange] uses an answer only if a question has exactly that id.
func (e Entry) settings(b *bytes.Buffer, t manifest.Tool) error {
	setting := func(name string, value jsontext.Value, s shape.Schema) {
		text, ok := literal(value)
		if !ok {
			text = "…"
		}
		line := fmt.Sprintf("# %s = %s # %s: %s", name, text, s.Type(), phrase.OneLine(s.Description))
		b.WriteString(strings.TrimSuffix(line, ": ") + "\n")
	}
	bySubject := false
	for _, q := range t.Questions {
		needs := question.Kind(q.Kind).Traits().Needs
		switch {
		case needs == question.NeedsSecrecy && e.As == JPLocal:
			fmt.Fprintf(b, "# %s asks for a secret, which JP cannot pass to a local tool; the call fails with input_unavailable\n", q.ID)
		case needs == question.NeedsSecrecy:
			fmt.Fprintf(b, "# %s asks for a secret; do not write the answer to this file, because JP copies the file to each conversation\n", q.ID)
		}
		if q.Exclusive == "person" || needs != question.NeedsNothing {
			continue
		}
		answer, err := shape.Parse(q.Schema)
		if err != nil {
			return err
		}
		answer.Description = q.Description
		isForm := len(answer.Properties) > 0
		perSubject := q.PerSubject || q.Subjects && !e.OlderJP
		switch {
		case perSubject && isForm && !e.OlderJP:
			fmt.Fprintf(b, "# %s asks about a subject; the ids of its fields end in a digest; copy them from the output of %s\n", q.ID, e.howToAsk(t))
		case perSubject:
			answer.Description += " SUBJECT is the subject of the question; each subject has its own answer."
			bySubject = true
			setting("questions."+key(q.ID+"-SUBJECT")+".answer", q.Default, answer)
		case isForm:
			for _, field := range answer.Properties { // JP asks separately for each field of a form
				setting("questions."+key(q.ID+"-"+field.Name)+".answer", field.Default, field.Schema)
			}
		default:
			if q.Subjects {
				answer.Description += " The answer applies each time the question is asked."
			}
			setting("questions."+key(q.ID)+".answer", q.Default, answer)
		}
	}
	if bySubject && !e.OlderJP {
		fmt.Fprintf(b, "# If SUBJECT has other characters than letters, digits and _, the id ends in a digest; copy it from the output of %s\n", e.howToAsk(t))
	}
	options, err := shape.Parse(t.Options)
	for _, p := range options.Properties {
		variable := t.Variable(e.Contract.Name, p.Name)
		if p.Secret {
			fmt.Fprintf(b, "# %s is a secret: set %s in the environment of JP\n", p.Name, variable)
			continue
		}
		if slices.Contains(t.Shared, p.Name) {
			p.Description += fmt.Sprintf(" %s in the environment of JP sets it for all tools.", variable)
		}
		setting("options."+key(p.Name), jsontext.Value(cmp.Or(string(p.Default), zero(p))), p.Schema)
	}
	return err
}

// howToAsk returns a command that prints the next question of a tool with its id.
func (e Entry) howToAsk(t manifest.Tool) string {
	words := []string{e.Command[0]}
	for _, arg := range ownArguments(anys(e.Command[1:])) {
		words = append(words, arg.(string))
	}
	return strings.Join(append(words, "call", t.Name), " ") + ` '{"arguments":{…}}'`
}

// zero returns the value of an option that the user does not set and that has no default, or "" if the option has no
// value then, or only a value that its schema does not accept.
func zero(p shape.Property) string {
	kinds := p.Kinds()
	if p.Required || p.Nullable || len(p.Choices) > 0 || p.Format != "" || p.Limits != (phrase.Limits{}) || len(kinds) != 1 {
		return ""
	}
	return map[string]string{"boolean": "false", "integer": "0", "number": "0", "string": `""`, "array": "[]"}[kinds[0]]
}

// unused returns the reason why JP does not use a configured answer, or "" if it may use it.
func (e Entry) unused(t manifest.Tool, id string) string {
	if e.isPlain() || e.OlderJP {
		return ""
	}
	for _, q := range t.Questions {
		isForm := len(shape.Read(q.Schema).Properties) > 0
		subject, about := strings.CutPrefix(id, q.ID+"-")
		about = about && (q.Subjects || q.PerSubject)
		switch {
		case id == q.ID && question.Kind(q.Kind).Traits().Needs == question.NeedsPage:
			return "the user must open a page"
		case id == q.ID && q.Exclusive == "person":
			return "a person must answer"
		case id == q.ID && (q.Subjects || q.PerSubject):
			return fmt.Sprintf("an answer applies to one subject; set questions.%s-SUBJECT.answer for each subject", key(q.ID))
		case id == q.ID && isForm:
			return fmt.Sprintf("JP asks for each field of the form separately; set questions.%s.answer", key(q.ID+"-FIELD"))
		case about && isForm && !endsInDigest().MatchString(id):
			return "the id of a field ends in a digest; copy the id from the output of " + e.howToAsk(t)
		case about && !isForm && (strings.Contains(subject, "-") || !question.ValidID(id)) && !endsInDigest().MatchString(id):
			return fmt.Sprintf("the subject %q has other characters than letters, digits and _; set questions.%s.answer", subject, key(question.SubjectID(q.ID, subject)))
		}
	}
	return ""
}

// endsInDigest matches the ids of questions whose subjects are not valid in an id.
var endsInDigest = lazyregexp.New(`-[a-z2-7]{26}$`)

// knowsQuestion reports whether a tool may ask a question with the given id.
func knowsQuestion(t manifest.Tool, id string) bool {
	return slices.ContainsFunc(t.Questions, func(q manifest.Question) bool {
		rest, ok := strings.CutPrefix(id, q.ID+"-")
		fields := shape.Read(q.Schema).Properties
		return id == q.ID || ok && (len(fields) == 0 || q.Subjects || q.PerSubject || strings.Contains(rest, "-") ||
			slices.ContainsFunc(fields, func(f shape.Property) bool { return f.Name == rest }))
	})
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

// anyTypes are the types of a parameter that accepts any value. JP requires a type, and a schema of the items if lists
// are allowed. That schema leaves out lists, because it would need a schema of their items, and so on.
var anyTypes = []string{"array", "boolean", "number", "object", "string", "null"}

// parameter writes a parameter, or a part of it, and its nested parts. Each key starts with the prefix.
func parameter(b *bytes.Buffer, prefix string, p shape.Property) {
	kinds := types(p.Schema)
	if len(kinds) == 1 {
		fmt.Fprintf(b, "%stype = %s\n", prefix, str(kinds[0]))
	} else {
		fmt.Fprintf(b, "%stype = %s\n", prefix, list(kinds))
	}
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
	switch {
	case p.Items != nil && slices.Contains(kinds, "array"):
		parameter(b, prefix+"items.", shape.Property{Schema: *p.Items})
	case slices.Contains(kinds, "array") && len(p.Kinds()) > 0:
		parameter(b, prefix+"items.", shape.Property{})
	case slices.Contains(kinds, "array"):
		fmt.Fprintf(b, "%sitems.type = %s\n", prefix, list(anyTypes[1:]))
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

// types returns the types of a schema for JP. If JP cannot read them, types derives them, because JP does not support
// $ref, oneOf, allOf, or the types of constants in its configuration.
func types(s shape.Schema) []string {
	if hasType(s) {
		return readTypes(s)
	}
	all := slices.Clone(s.Kinds())
	switch {
	case len(all) == 0:
		return anyTypes
	case s.Nullable:
		all = append(all, "null")
	}
	return all
}

// literal is like [value], but for JSON text.
func literal(text jsontext.Value) (string, bool) {
	return value(shape.Decode(text))
}
