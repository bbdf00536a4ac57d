// Package explain explains the code of each finding, using an incorrect and a correct program.
package explain

import (
	"embed"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// codes holds a file CODE.txtar for each code: a comment that explains the code, and the files of an example.
// The names of files begin with "wrong" in the incorrect program, and with "right" in the correct one. A file
// with a slash in its name belongs to a package that both programs import. If there is a file
// "before", the generated files of the incorrect program come from that file.
//
//go:embed codes/*.txtar
var codes embed.FS

// A Page explains a code.
type Page struct {
	diag.Kind
	// Meaning is a paragraph of text.
	Meaning string
	// Files are the example, without package clauses or imports.
	Files []File
}

// A File is one file of an example.
type File struct{ Name, Source string }

// Of returns the page for a code. The page for a removed code has no example.
func Of(code diag.Code) (Page, error) {
	if why := code.Removed(); why != "" {
		meaning := "The rule was removed, because the server refuses the fault before it asks anything:\n" + why + ".\n" +
			"Delete the code from //jp:allow lines.\n"
		return Page{Kind: diag.Kind{Code: code, Title: "removed rule"}, Meaning: meaning}, nil
	}
	data, err := codes.ReadFile("codes/" + string(code) + ".txtar")
	if err != nil {
		return Page{}, fmt.Errorf("unknown code %q; run jptoolgen explain for the list", code)
	}
	archive := txtar.Parse(data)
	p := Page{Kind: diag.Kind{Code: code, Title: code.Title()}, Meaning: string(archive.Comment)}
	for _, f := range archive.Files {
		p.Files = append(p.Files, File{f.Name, string(f.Data)})
	}
	return p, nil
}

// String returns the page as text for a terminal.
func (p Page) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s", p.Code, p.Title, p.Meaning)
	shared := ""
	for _, f := range p.Files {
		fmt.Fprintf(&b, "\n%s:\n\n%s", f.Heading(), indent(f.Excerpt()))
		if d := Shared(f.Source); len(d) > len(shared) {
			shared = d
		}
	}
	if shared != "" {
		fmt.Fprintf(&b, "\nThe examples use:\n\n%s", indent(shared))
	}
	return b.String()
}

// Heading returns the heading of the file.
func (f File) Heading() string {
	switch f.Name {
	case "wrong.go":
		return "Wrong"
	case "right.go":
		return "Right"
	case "before":
		return "Before the change"
	}
	return f.Name
}

// Excerpt returns the source with repeated lines replaced by an ellipsis.
func (f File) Excerpt() string {
	var b strings.Builder
	last := ""
	for line := range strings.Lines(f.Source) {
		switch {
		case line != last:
			b.WriteString(line)
		case !strings.HasSuffix(b.String(), "// …\n"):
			b.WriteString("// …\n")
		}
		last = line
	}
	return b.String()
}

func indent(text string) string {
	return regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(text, "    $1")
}

// sharedDeclarations returns the names and the source of declarations that examples may use without declaring them.
func sharedDeclarations() [][2]string {
	return [][2]string{
		{"Notes", `// Notes keeps notes.
//
//jp:server
type Notes struct{}
`}, {"NoteInput", `// NoteInput holds the name of a note.
type NoteInput struct {
	// Name of the note.
	Name string ` + "`json:\"name\"`" + `
}
`}, {"NoteQuestions", `// NoteQuestions holds the questions about a note.
type NoteQuestions struct {
	// Sure asks whether to continue.
	Sure elicit.Confirm
}
`},
	}
}

// Shared returns the shared declarations that an example uses but does not declare.
func Shared(source string) string {
	var all []string
	for _, d := range sharedDeclarations() {
		used := regexp.MustCompile(`\W` + d[0] + `\)|\W` + d[0] + `,`).MatchString(source)
		if used && !strings.Contains(source, "type "+d[0]+" ") {
			all = append(all, d[1])
		}
	}
	return strings.Join(all, "\n")
}
