package breaking

import (
	"fmt"
	"io"
	"strings"

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

// A Source is the file of the new contract, for formats that refer to lines.
type Source struct {
	// Path is relative and has forward slashes. It is empty if there is no file.
	Path string
	// Text is the content of the file.
	Text []byte
	// Program is the version of the program that prints the report.
	Program string
}

// Print writes a report and the expired entries of an allow-list.
func Print(w io.Writer, r *Report, expired []Allowance, format Format, source Source) error {
	switch format {
	case JSON:
		return printJSON(w, r, expired)
	case Markdown:
		return printMarkdown(w, r, expired)
	case GitHub:
		return printGitHub(w, r, expired, source)
	case SARIF:
		return printSARIF(w, r, expired, source)
	}
	return printText(w, r, expired)
}

// Verdict returns a one-sentence summary of the report.
func (r *Report) Verdict() string {
	if len(r.Changes) == 0 {
		return "Nothing has changed."
	}
	return fmt.Sprintf("%s: the next release must be a %s release.", r.Counts(), r.Level().Release())
}

// Counts returns the number of changes of each level, in words.
func (r *Report) Counts() string {
	var counts []string
	for _, l := range []struct {
		level Level
		words string
	}{{Breaking, "breaking"}, {Compatible, "compatible"}, {Words, "in wording"}} {
		if n := r.Count(l.level); n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, l.words))
		}
	}
	return strings.Join(counts, ", ")
}

// maxPrinted is the maximum number of changes in the text format. The formats for programs contain all changes.
const maxPrinted = 500

func printText(w io.Writer, r *Report, expired []Allowance) error {
	var b strings.Builder
	for i, c := range r.Changes {
		if i == maxPrinted {
			fmt.Fprintf(&b, "… and %d more; --format json prints all\n", len(r.Changes)-i)
			break
		}
		fmt.Fprintf(&b, "%s: %s [%s%s]\n", c.Level, c.message(), c.Rule, hurts(c))
		if c.Allowed != "" {
			fmt.Fprintf(&b, "  accepted: %s\n", Printable(c.Allowed))
		}
	}
	for _, a := range expired {
		fmt.Fprintf(&b, "expired: %s\n", Printable(a.String()))
	}
	b.WriteString(r.Verdict() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// sentence returns the detail of a change as a sentence, to be printed after the description of the rule.
func sentence(c Change) string {
	for _, beginning := range [][2]string{{"was ", "It was "}, {"is now ", "It is now "}, {"also ", "It also has "}, {"no longer ", "It no longer has "}, {"the ", "The "}} {
		if rest, ok := strings.CutPrefix(c.Detail, beginning[0]); ok {
			return " " + beginning[1] + rest + "."
		}
	}
	if c.Detail == "" {
		return ""
	}
	return " Its " + c.Detail + "."
}

func hurts(c Change) string {
	if c.Hurts == "" {
		return ""
	}
	return ", hurts the " + c.Hurts
}

func printJSON(w io.Writer, r *Report, expired []Allowance) error {
	type counts struct {
		Breaking   int `json:"breaking"`
		Compatible int `json:"compatible"`
		Words      int `json:"words"`
	}
	out := struct {
		Level   Level       `json:"level"`
		Release string      `json:"release"`
		Counts  counts      `json:"counts"`
		Changes []Change    `json:"changes"`
		Expired []Allowance `json:"expired,omitempty"`
	}{
		r.Level(), r.Level().Release(), counts{r.Count(Breaking), r.Count(Compatible), r.Count(Words)},
		append([]Change{}, r.Changes...), expired,
	}
	return encode(w, out)
}

func encode(w io.Writer, v any) error {
	text, err := rawjson.EncodeIndented(v)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

func printMarkdown(w io.Writer, r *Report, expired []Allowance) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", r.Verdict())
	if len(r.Changes) > 0 {
		b.WriteString("\n| | where | what happened | rule |\n| --- | --- | --- | --- |\n")
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
	_, err := io.WriteString(w, b.String())
	return err
}

// code returns text as a code span inside a table. Untrusted text must not end the span or become a link or a
// mention.
func code(text string) string {
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(Printable(text)) + "`"
}
