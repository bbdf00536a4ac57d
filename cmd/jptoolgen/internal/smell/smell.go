// Package smell finds smells: properties of a list of tools that make models choose the wrong tool or call a tool
// incorrectly.
package smell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// The IDs of the rules.
const (
	NoPurpose   = "purpose-missing"
	NoMeaning   = "parameter-unexplained"
	NoLimit     = "limit-missing"
	Alike       = "tools-alike"
	NoExample   = "example-missing"
	TooLong     = "text-too-long"
	NotFoundFor = "task-misses-tool"
	NoStep      = "error-without-step"
)

// A Rule describes one kind of finding and the evidence for it.
type Rule struct{ ID, Finds, Evidence string }

// Rules returns all rules.
func Rules() []Rule {
	const smells = "[arXiv 2602.14878](https://arxiv.org/abs/2602.14878), 856 tools from 103 servers: "
	return []Rule{
		{NoPurpose, "A tool without a description, or with one that only repeats the name", smells + "56% of the tools do not make their purpose clear"},
		{NoMeaning, "A parameter without a description, or with one that only repeats the name", smells + "unexplained parameters are one of the problems that the paper identifies"},
		{NoLimit, "A tool that lists or searches, but states neither the number nor the order of its results. A parameter that sets the number of results and has no maximum", smells + "unstated limits are one of the problems that the paper identifies. Clients truncate long results at arbitrary points"},
		{Alike, "Two tools whose descriptions share at least three quarters of their words", "LiveMCPBench, 527 tools: in nearly half of all failures, the model did not find the right tool"},
		{NoExample, "A parameter that has a special format, such as a pattern, a range or a query language, but no example", smells + "missing examples are one of the problems that the paper identifies"},
		{TooLong, fmt.Sprintf("A description of more than %d bytes, or %d bytes for a parameter", maxTool, maxParameter), smells + "with descriptions that fix every problem, models take 67% more steps. With compact descriptions, they succeed just as often"},
		{NoStep, "An error message that does not explain how to correct the call. Vet reads the texts of `fault.New` and `fault.Wrap` in the source of a package, for error codes that let a model correct its call, such as `not_found`", "Anthropic, Writing effective tools: errors should name the next step instead of a code. In this project's tests, a caller that only follows the messages repairs 251 of 253 bad calls"},
		{NotFoundFor, "A task in the `--tasks` file whose tool is not among the first five", "Clients that defer tools, such as Claude Code, search their names and descriptions"},
	}
}

// A Finding is a smell in a tool.
type Finding struct {
	Rule string `json:"rule"`
	Tool string `json:"tool,omitempty"`
	// At is the position in the source, or "" for a smell in the list of tools.
	At string `json:"at,omitempty"`
	// Parameter is the name of the parameter, or "" for the tool itself.
	Parameter string `json:"parameter,omitempty"`
	Message   string `json:"message"`
	Hint      string `json:"hint"`
}

// Place returns the tool and the parameter of f, or its position in the source.
func (f Finding) Place() string {
	if f.At != "" {
		return f.At
	}
	if f.Parameter == "" {
		return f.Tool
	}
	return f.Tool + "." + f.Parameter
}

// String returns f as a line of text.
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s; %s [%s]", f.Place(), f.Message, f.Hint, f.Rule)
}

// Maximum sizes of descriptions, in bytes.
const maxTool, maxParameter = 800, 400

// maxCompared is the number of tools at the start of the list with which the later tools are compared.
const maxCompared = 500

// alike is the minimum fraction of common words of two descriptions that are too similar.
const alike = 0.75

// Find returns the smells of a server's tools, in the order of the tools.
func Find(c *manifest.Server) []Finding {
	var all []Finding
	var texts [][]string
	for i := range c.Tools {
		t := &c.Tools[i]
		all = append(all, ofTool(t)...)
		texts = append(texts, distinctWords(t.Description))
		for j := range min(i, maxCompared) {
			if overlap(texts[i], texts[j]) >= alike {
				all = append(all, Finding{Rule: Alike, Tool: t.Name, Message: fmt.Sprintf("the description is nearly the same as that of %s", c.Tools[j].Name), Hint: "explain when to use each tool"})
				break
			}
		}
		for _, p := range parameters(t) {
			all = append(all, p.smells()...)
		}
	}
	return all
}

func ofTool(t *manifest.Tool) (all []Finding) {
	add := func(rule, message, hint string) {
		all = append(all, Finding{Rule: rule, Tool: t.Name, Message: message, Hint: hint})
	}
	text := t.Description
	switch {
	case text == "":
		add(NoPurpose, "the description is missing", "describe what the tool does and when to use it")
	case countNewWords(text, t.Name) == 0:
		add(NoPurpose, fmt.Sprintf("the description %q only repeats the name", text), "describe what the tool does and when to use it")
	}
	if len(text) > maxTool {
		add(TooLong, fmt.Sprintf("the description has %d bytes, more than %d", len(text), maxTool), "move details to the parameters, or delete what a model already knows")
	}
	if plural().MatchString(t.Name+" "+text) && !isLimited(t) {
		add(NoLimit, "the description does not state the number and the order of the results", "state both, for example: returns at most 20, newest first")
	}
	return all
}

// plural matches the name and the description of a tool that returns a list. said matches text that states an
// order or a number.
var (
	plural = lazyregexp.New(`(?i)^(list|search|find|query)[_\s]|^\w+_(list|search|find)\s|^\S+ (list|search|find|return)(s|es)?\s+(for\s+)?(all\s+)?(the\s+)?\w+s\b`)
	said   = lazyregexp.New(`(?i)\b(at most|up to|first|maximum|max|limit(s|ed)?|pages?|paginat\w+|cursor|newest|oldest|best|top|sorted|order(ed)?|only one|one by one|\d+)\b`)
	paging = lazyregexp.New(`(?i)^(limit|max\w*|count|page\w*|per_?page|cursor|offset|first|top|size|n)$`)
)

// isLimited reports whether the description or a parameter of a tool states or limits the number of results.
func isLimited(t *manifest.Tool) bool {
	return said().MatchString(t.Description) || slices.ContainsFunc(parameters(t), func(p parameter) bool { return paging().MatchString(p.Name) })
}

type parameter struct {
	tool string
	shape.Property
}

func parameters(t *manifest.Tool) (all []parameter) {
	for _, p := range shape.Read(t.Input).Properties {
		all = append(all, parameter{t.Name, p})
	}
	return all
}

// is reports whether all values of a parameter have the given type.
func (p parameter) is(t string) bool {
	return !p.Nullable && len(p.Types) == 1 && p.Types[0] == t
}

// special matches parameters in a format that a model cannot know. shown matches text that contains an example.
var (
	special = lazyregexp.New(`(?i)\b(formats?|formatted|syntax|expressions?|regex\w*|globs?|cron|ranges?|dsl|jql|cql|query language|patterns?|selectors?|durations?|timestamps?|dates?)\b`)
	shown   = lazyregexp.New("(?i)such as|e\\.g\\.|examples?\\b|for instance|[\"`'‘“]\\S|: ?\\S*[0-9*:/%<>=]|\\b(YYYY|RFC ?3339|ISO ?8601|unix)|://")
)

func (p parameter) smells() (all []Finding) {
	add := func(rule, message, hint string) {
		all = append(all, Finding{Rule: rule, Tool: p.tool, Parameter: p.Name, Message: message, Hint: hint})
	}
	switch {
	case p.Description == "" && len(p.Choices) == 0:
		add(NoMeaning, "the description is missing", "explain what the parameter means")
	case p.Description != "" && len(p.Choices) == 0 && repeats(p.Description, p.Name, p.tool):
		add(NoMeaning, fmt.Sprintf("the description %q only repeats names", p.Description), "explain what the parameter means, or what its values are")
	}
	if len(p.Description) > maxParameter {
		add(TooLong, fmt.Sprintf("the description has %d bytes, more than %d", len(p.Description), maxParameter), "keep only what a caller needs to know, and an example")
	}
	if (p.is("integer") || p.is("number")) && paging().MatchString(p.Name) && !isPosition().MatchString(p.Name) && p.Limits.Maximum == "" && !said().MatchString(p.Description) {
		add(NoLimit, "the number of results has no maximum", "declare maximum=, or state the maximum number of results")
	}
	if p.is("string") && (p.Limits.Pattern != "" || special().MatchString(strings.ReplaceAll(p.Name, "_", " ")+" "+p.Description)) && !p.hasExample() {
		add(NoExample, "the format has no example", `add one to the description, for example "such as 2026-01-31"`)
	}
	return all
}

// isPosition matches parameters that are positions rather than numbers of results.
var isPosition = lazyregexp.New(`(?i)^(page|cursor|offset)$`)

func (p parameter) hasExample() bool {
	return p.Format != "" || len(p.Choices) > 0 || p.Exemplified || len(p.Default) > 2 || shown().MatchString(p.Description)
}
