package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/phrase"
)

// textArguments parses arguments whose values are text. what names them in errors.
func textArguments(what string, words []string, dir string) ([]shape.Assignment, error) {
	var list []shape.Assignment
	for _, word := range words {
		a, err := shape.Assign(word, dir)
		if err == nil && a.JSON {
			err = fmt.Errorf("%s: %s are text; use %[1]s=TEXT", a.Name, what)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// arguments returns the values of variables or arguments as text. It checks them, and asks the person at the terminal
// for those that are missing. The server completes them as c says.
func (r *getRun) arguments(
	ctx context.Context, what string, schema *shape.Schema, given []shape.Assignment, c peer.Complete,
) (map[string]string, error) {
	c.Given = map[string]string{}
	for _, a := range given {
		c.Given[a.Name] = a.Word
	}
	for _, p := range schema.Properties {
		if _, has := c.Given[p.Name]; has || !p.Required || r.answers.Person == nil {
			continue
		}
		c.Argument = p.Name
		word, err := r.missing(ctx, what, p, c)
		if err != nil {
			return nil, err
		}
		given = append(given, shape.Assignment{Name: p.Name, Word: word})
		c.Given[p.Name] = word
	}
	object, err := schema.Arguments(what, given, nil)
	if err != nil {
		return nil, err
	}
	return textValues(object)
}

// textValues returns the members of an object as text.
func textValues(object jsontext.Value) (map[string]string, error) {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(object, &members); err != nil {
		return nil, err
	}
	values := map[string]string{}
	for name, value := range members {
		values[name] = shape.Word(value)
	}
	return values, nil
}

// missing asks the person for a missing value. A value that begins with a question mark shows what the server suggests for
// the rest of it.
func (r *getRun) missing(ctx context.Context, what string, p shape.Property, c peer.Complete) (string, error) {
	person, question := r.answers.Person, terminal.Line(what+" requires "+p.Name, 200)
	if p.Description != "" {
		question += ": " + terminal.Line(p.Description, 500)
	}
	if len(p.Choices) > 0 {
		value, err := person.Value(ctx, question, p.Schema, true)
		return shape.Word(value), err
	}
	suggest := func(prefix string) {
		c.Value = prefix
		list, err := r.conn.Complete(ctx, c)
		switch {
		case err != nil:
			person.Say("The server does not complete the value: " + terminal.Line(err.Error(), 200))
		case len(list.Values) > 0:
			person.Say(suggestions(list))
		case prefix != "":
			person.Say("The server suggests no values that begin with " + phrase.Quoted(prefix, 40) + ".")
		}
	}
	suggest("")
	for {
		value, err := person.Value(ctx, question, shape.Schema{Types: []string{"string"}}, true)
		if err != nil {
			return "", err
		}
		word := shape.Word(value)
		if prefix, asks := strings.CutPrefix(word, "?"); asks {
			suggest(prefix)
			continue
		}
		if _, err := terminal.Understand(word, p.Schema); err != nil {
			person.Say(p.Name + " " + err.Error())
			continue
		}
		return word, nil
	}
}

// suggestions describes the values that a server suggests.
func suggestions(c peer.Completion) string {
	const most = 20
	var names []string
	for _, v := range c.Values[:min(most, len(c.Values))] {
		names = append(names, terminal.Line(v, 100))
	}
	text := "Suggestions: " + strings.Join(names, ", ")
	if total := max(c.Total, len(c.Values)); total > len(names) || c.HasMore {
		text += ", …"
	}
	return text + "; ?TEXT shows those that begin with TEXT"
}
