package diag

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jptool/jptool/internal/rawjson"
)

// A Format is an output format of findings.
type Format string

// The output formats of findings.
const (
	// Text prints a line for each finding: file:line:col: JP000: sentence; hint.
	Text Format = "text"
	// JSON prints a list of objects.
	JSON Format = "json"
	// GitHub prints workflow commands, which annotate a pull request.
	GitHub Format = "github"
)

// Formats returns all formats.
func Formats() []Format { return []Format{Text, JSON, GitHub} }

// Print writes findings to w, with file names relative to dir.
func Print(w io.Writer, findings []Finding, format Format, dir string) error {
	switch format {
	case JSON:
		return printJSON(w, findings, dir)
	case GitHub:
		return printLines(w, findings, dir, githubLine)
	}
	return printLines(w, findings, dir, textLine)
}

func printLines(w io.Writer, findings []Finding, dir string, line func(Finding, string) string) error {
	for _, f := range findings {
		if _, err := fmt.Fprintln(w, line(f, Rel(dir, f.Pos.Filename))); err != nil {
			return fmt.Errorf("printing findings: %w", err)
		}
	}
	return nil
}

func textLine(f Finding, file string) string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", file, f.Pos.Line, f.Pos.Column, f.Code, f.Text())
}

func githubLine(f Finding, file string) string {
	return Annotation("error", string(f.Code)+" "+f.Code.Title(), f.Text(), "file="+file, fmt.Sprint("line=", f.Pos.Line), fmt.Sprint("col=", f.Pos.Column))
}

// Annotation returns the GitHub workflow command for an annotation with a title and a message. If place is not empty,
// the annotation is about that position in a file. Annotation escapes the characters that such commands reserve.
func Annotation(level, title, message string, place ...string) string {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	properties := append(slices.Clone(place), "title="+title)
	for i, p := range properties {
		properties[i] = property.Replace(p)
	}
	return "::" + level + " " + strings.Join(properties, ",") + "::" + data.Replace(message)
}

func printJSON(w io.Writer, findings []Finding, dir string) error {
	type entry struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Code    Code   `json:"code"`
		Title   string `json:"title"`
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
	}
	entries := make([]entry, len(findings))
	for i, f := range findings {
		entries[i] = entry{Rel(dir, f.Pos.Filename), f.Pos.Line, f.Pos.Column, f.Code, f.Code.Title(), f.Message, f.Hint}
	}
	text, err := rawjson.EncodeIndented(entries)
	if err == nil {
		_, err = w.Write(text)
	}
	if err != nil {
		return fmt.Errorf("printing findings: %w", err)
	}
	return nil
}

// Rel returns file relative to dir, with forward slashes. It returns file unchanged if it is relative, or on
// another volume.
func Rel(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsAbs(file) {
		file = rel
	}
	return filepath.ToSlash(file)
}
