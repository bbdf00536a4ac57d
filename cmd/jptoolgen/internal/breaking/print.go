package breaking

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// A Format is an output format of a report.
type Format string

// The formats of a report.
const (
	// Text is for people: one paragraph for each change.
	Text Format = "text"
	// JSON is an object with the verdict and all changes.
	JSON Format = "json"
	// Markdown is a table for the description of a pull request.
	Markdown Format = "markdown"
	// GitHub is a list of workflow commands that annotate a pull request.
	GitHub Format = "github"
	// SARIF is the Static Analysis Results Interchange Format, 2.1.0.
	SARIF Format = "sarif"
)

// Formats returns every format.
func Formats() []Format { return []Format{Text, JSON, Markdown, GitHub, SARIF} }

// A Source is the file that contains the new contract. Formats that refer to lines need it.
type Source struct {
	// Path is relative and has forward slashes. It is empty if there is no file.
	Path string
	// Text is the content of the file.
	Text []byte
	// Program is the version of the program that prints the report.
	Program string
}

// Print writes a report and the expired entries of an allow-list.
func Print(w io.Writer, r *Report, expired []Allowance, format Format, source Source) (err error) {
	var text []byte
	switch format {
	case JSON:
		text, err = rawjson.EncodeIndented(jsonReport(r, expired))
	case SARIF:
		text, err = rawjson.EncodeIndented(sarifReport(r, expired, source))
	case Markdown:
		text = markdownReport(r, expired)
	case GitHub:
		text = githubReport(r, expired, source)
	default:
		text = textReport(r, expired)
	}
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Verdict returns a one-sentence summary of the report.
func (r *Report) Verdict() string {
	if len(r.Changes) == 0 {
		return "Nothing has changed."
	}
	return fmt.Sprintf("%s: the next release must be a %s release.", r.Counts(), r.Level().Release())
}

// Counts returns the number of changes at each level, in words.
func (r *Report) Counts() string {
	var counts []string
	for _, l := range []struct {
		level Level
		noun  string
	}{{Breaking, "breaking change"}, {Compatible, "compatible change"}, {Words, "wording change"}} {
		if n := r.Count(l.level); n > 0 {
			counts = append(counts, phrase.Plural(n, l.noun))
		}
	}
	return strings.Join(counts, ", ")
}

// maxPrinted is the maximum number of changes in the text format. The formats for programs contain all changes.
const maxPrinted = 500

func textReport(r *Report, expired []Allowance) []byte {
	var b bytes.Buffer
	for i, c := range r.Changes {
		if i == maxPrinted {
			fmt.Fprintf(&b, "… and %d more; --format json prints all\n", len(r.Changes)-i)
			break
		}
		hurts := ""
		if c.Hurts != "" {
			hurts = ", affects the " + c.Hurts
		}
		fmt.Fprintf(&b, "%s: %s [%s%s]\n", c.Level, c.message(), c.Rule, hurts)
		if c.Allowed != "" {
			fmt.Fprintf(&b, "  accepted: %s\n", Printable(c.Allowed))
		}
	}
	for _, a := range expired {
		fmt.Fprintf(&b, "expired: %s\n", Printable(a.String()))
	}
	b.WriteString(r.Verdict() + "\n")
	return b.Bytes()
}

// message describes a change: its location, the description of its rule, and its detail as a sentence.
func (c Change) message() string {
	said := c.Where + ": " + c.Says
	for _, beginning := range [][2]string{{"was ", "It was "}, {"is now ", "It is now "}, {"also ", "It also has "}, {"no longer ", "It no longer has "}, {"the ", "The "}} {
		if rest, ok := strings.CutPrefix(c.Detail, beginning[0]); ok {
			return said + " " + beginning[1] + rest + "."
		}
	}
	if c.Detail == "" {
		return said
	}
	return said + " Its " + c.Detail + "."
}

func jsonReport(r *Report, expired []Allowance) any {
	type counts struct {
		Breaking   int `json:"breaking"`
		Compatible int `json:"compatible"`
		Words      int `json:"words"`
	}
	return struct {
		Level   Level       `json:"level"`
		Release string      `json:"release"`
		Counts  counts      `json:"counts"`
		Changes []Change    `json:"changes"`
		Expired []Allowance `json:"expired,omitempty"`
	}{
		r.Level(), r.Level().Release(), counts{r.Count(Breaking), r.Count(Compatible), r.Count(Words)},
		append([]Change{}, r.Changes...), expired,
	}
}

func markdownReport(r *Report, expired []Allowance) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "**%s**\n", r.Verdict())
	if len(r.Changes) > 0 {
		b.WriteString("\n| | where | change | rule |\n| --- | --- | --- | --- |\n")
	}
	for _, c := range r.Changes {
		said := c.Says
		if c.Detail != "" {
			said += " " + code(c.Detail)
		}
		if c.Allowed != "" {
			said += " Accepted: " + code(c.Allowed)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | `%s` |\n", c.Level, code(c.Where), said, c.Rule)
	}
	if len(expired) > 0 {
		b.WriteString("\nExpired entries in the allow-list:\n\n")
	}
	for _, a := range expired {
		fmt.Fprintf(&b, "- %s\n", code(a.String()))
	}
	return b.Bytes()
}

// code returns text as a code span inside a table. Untrusted text must not end the span or become a link or a
// mention.
func code(text string) string {
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(Printable(text)) + "`"
}

// WriteRules writes a Markdown table of all rules.
func WriteRules(w io.Writer) error {
	var b bytes.Buffer
	for _, s := range sections() {
		fmt.Fprintf(&b, "\n## %s\n\n| rule | level | affects | change |\n| --- | --- | --- | --- |\n", s.title)
		for _, r := range s.rules {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.ID, r.Level, r.Hurts, r.Says)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

const (
	// maxShown is the maximum number of characters of a value in a report.
	maxShown = 80
	// maxWhere is the maximum number of characters of a location in a report.
	maxWhere = 300
)

// describeChange describes a change from one value to another.
func describeChange(from, to any) string {
	switch {
	case from == nil && to == nil:
		return "is now null"
	case from == nil:
		return "is now " + show(to)
	case to == nil:
		return "was " + show(from)
	}
	before, after := textOf(from), textOf(to)
	same := 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	if start := same - maxShown/2; start > 0 && max(len(before), len(after)) > maxShown {
		return "was " + showFrom(from, start) + " and is now " + showFrom(to, start)
	}
	return "was " + show(from) + " and is now " + show(to)
}

// maxText is the maximum number of characters of a text in a report.
const maxText = 2000

// describeTexts describes a change from one text to another. Unlike [describeChange], it shows everything that differs.
func describeTexts(from, to any) string {
	before, after := []rune{}, []rune{}
	if from != nil {
		before = textOf(from)
	}
	if to != nil {
		after = textOf(to)
	}
	if max(len(before), len(after)) <= maxShown {
		return describeChange(from, to)
	}
	start, end := 0, 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	for end < min(len(before), len(after))-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	start, end = max(0, start-maxShown/2), max(0, end-maxShown/2)
	part := func(v any, all []rune) string {
		all = all[start : len(all)-end]
		more, short := "", all
		if len(all) > maxText {
			more, short = fmt.Sprintf(" (and %d more characters)", len(all)-maxText), all[:maxText]
		}
		text := string(short)
		if start > 0 {
			text = "…" + text
		}
		if end > 0 || more != "" {
			text += "…"
		}
		if _, ok := v.(string); ok {
			quoted, _ := rawjson.Encode(text) // cannot fail: text is a string
			text = string(quoted)
		}
		return Printable(text) + more
	}
	switch {
	case from == nil:
		return "is now " + part(to, after)
	case to == nil:
		return "was " + part(from, before)
	}
	return "was " + part(from, before) + " and is now " + part(to, after)
}

// show returns a value as short JSON that is safe to print.
func show(v any) string { return showFrom(v, 0) }

// showFrom is like show, but omits the first start characters of the text of v.
func showFrom(v any, start int) string {
	short := phrase.Clip(string(textOf(v)[start:]), maxShown)
	if start > 0 {
		short = "…" + short
	}
	if _, ok := v.(string); ok {
		quoted, _ := rawjson.Encode(short) // cannot fail: short is a string
		short = string(quoted)
	}
	return Printable(short)
}

// textOf returns the characters of a string, or of another value as JSON.
func textOf(v any) []rune {
	if s, ok := v.(string); ok {
		return []rune(s)
	}
	text, _ := rawjson.Encode(v) // cannot fail: v is a JSON value
	return []rune(string(text))
}

// Printable escapes every character that could move a cursor, color a terminal or mislead a reader, because contracts
// can come from untrusted sources.
func Printable(text string) string {
	return strings.NewReplacer("\n", `\u{a}`, "\t", `\u{9}`).Replace(phrase.Visible(text))
}

// line returns the number of a tool's first line in the file, or 1 if the tool is not found.
func (s Source) line(tool string) int {
	name, _ := json.Marshal(tool) // cannot fail: tool is a string
	if at := bytes.Index(s.Text, append([]byte(`"name": `), name...)); at >= 0 && tool != "" {
		return 1 + bytes.Count(s.Text[:at], []byte("\n"))
	}
	return 1
}

// githubReport returns GitHub workflow commands. Accepted changes and changes to wording are notices. Only changes
// that make the command fail are errors.
func githubReport(r *Report, expired []Allowance, source Source) []byte {
	var b bytes.Buffer
	command := func(level, tool, title, message string) {
		var place []string
		if source.Path != "" {
			place = []string{"file=" + source.Path, fmt.Sprint("line=", source.line(tool))}
		}
		b.WriteString(diag.Annotation(level, title, message, place...) + "\n")
	}
	for _, c := range r.Changes {
		level, message := "notice", c.message()
		switch {
		case c.Allowed != "":
			message += " Accepted: " + Printable(c.Allowed)
		case c.Level == Breaking:
			level = "error"
		}
		command(level, c.Tool, c.Level.String()+" "+c.Rule, message)
	}
	for _, a := range expired {
		command("error", "", "expired "+a.Rule, Printable(a.String()))
	}
	return b.Bytes()
}

// sarifReport returns a log with the parts of SARIF 2.1.0 (OASIS, sarif-v2.1.0-os) that describe a report.
func sarifReport(r *Report, expired []Allowance, source Source) any {
	type object map[string]any
	rules, index := []object{}, map[string]int{}
	for i, rule := range Rules() {
		rules = append(rules, object{
			"id": rule.ID, "shortDescription": object{"text": rule.Says}, "defaultConfiguration": object{"level": rule.Level.sarif()},
		})
		index[rule.ID] = i
	}
	results := []object{}
	add := func(rule, level, message, tool, where string) object {
		location := object{"logicalLocations": []object{{"fullyQualifiedName": where}}}
		if source.Path != "" {
			location["physicalLocation"] = object{"artifactLocation": object{"uri": source.Path}, "region": object{"startLine": source.line(tool)}}
		}
		result := object{
			"ruleId": rule, "ruleIndex": index[rule], "level": level, "message": object{"text": message}, "locations": []object{location},
		}
		results = append(results, result)
		return result
	}
	for _, c := range r.Changes {
		result := add(c.Rule, c.Level.sarif(), c.message(), c.Tool, c.Where)
		if c.Allowed != "" {
			result["suppressions"] = []object{{"kind": "external", "justification": Printable(c.Allowed)}}
		}
	}
	for _, a := range expired {
		add(a.Rule, "error", "An entry in the allow-list has expired: "+Printable(a.String())+".", "", Printable(a.Where))
	}
	driver := object{"name": "jptoolgen", "informationUri": "https://github.com/jptool/jptool", "rules": rules}
	if source.Program != "" {
		driver["version"] = source.Program
	}
	return object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{"tool": object{"driver": driver}, "results": results}},
	}
}
