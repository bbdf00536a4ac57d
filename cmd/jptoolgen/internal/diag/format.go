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
	// Text prints a line for each finding: file:line:col: JP000: sentence; hint. The sentence of a warning begins
	// with "warning: ".
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
	text, err := encode(findings, format, dir)
	if err == nil {
		_, err = w.Write(text)
	}
	if err != nil {
		return fmt.Errorf("printing findings: %w", err)
	}
	return nil
}

func encode(findings []Finding, format Format, dir string) (text []byte, err error) {
	type entry struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Code    Code   `json:"code"`
		Title   string `json:"title"`
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
		Warning bool   `json:"warning,omitempty"`
	}
	entries := []entry{}
	for _, f := range findings {
		file, line, column, title := Rel(dir, f.Pos.Filename), f.Pos.Line, f.Pos.Column, f.Code.Title()
		switch format {
		case JSON:
			entries = append(entries, entry{file, line, column, f.Code, title, f.Message, f.Hint, f.Warning})
		case GitHub:
			place := []string{"file=" + file, fmt.Sprint("line=", line), fmt.Sprint("col=", column)}
			level := "error"
			if f.Warning {
				level = "warning"
			}
			text = fmt.Appendln(text, Annotation(level, string(f.Code)+" "+title, f.Text(), place...))
		default:
			sentence := f.Text()
			if f.Warning {
				sentence = "warning: " + sentence
			}
			text = fmt.Appendf(text, "%s:%d:%d: %s: %s\n", file, line, column, f.Code, sentence)
		}
	}
	if format == JSON {
		return rawjson.EncodeIndented(entries)
	}
	return text, nil
}

// Annotation returns the GitHub workflow command for an annotation with a title and a message. If place is not empty,
// the annotation is about that position in a file. Annotation escapes the reserved characters of such commands.
func Annotation(level, title, message string, place ...string) string {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	properties := append(slices.Clone(place), "title="+title)
	for i, p := range properties {
		properties[i] = property.Replace(p)
	}
	return "::" + level + " " + strings.Join(properties, ",") + "::" + data.Replace(message)
}

// Rel returns file relative to dir, with forward slashes. It returns file unchanged if it is relative, or on
// another volume.
func Rel(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsAbs(file) {
		file = rel
	}
	return filepath.ToSlash(file)
}
