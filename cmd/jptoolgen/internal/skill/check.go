package skill

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A checker checks the texts of skills against a contract.
type checker struct {
	list      *diag.List
	arguments map[string][]string // of tools and prompts, keyed by name
	prefixes  map[string]bool     // of their names, to the first _
	words     map[string]bool     // all names and values in the contract
	static    map[string]bool     // the URIs of resources, skills and their directories
	templates []*uris.Template
	schemes   map[string]bool // of the server's URIs
}

// Check reports what the texts of the skills mention and the contract does not have.
func (s *Set) Check(contract *manifest.Server, list *diag.List) {
	c := &checker{
		list: list, arguments: map[string][]string{}, prefixes: map[string]bool{}, words: map[string]bool{},
		static: map[string]bool{}, schemes: map[string]bool{"skill": true},
	}
	for _, t := range contract.Tools {
		c.callable(t.Name, t.InputForModels())
		for _, a := range t.Aliases {
			c.callable(a.Name, t.InputForModels())
		}
	}
	for _, p := range contract.Prompts {
		c.callable(p.Name, p.AsTool().Input)
	}
	whole, err := rawjson.Encode(contract)
	if err != nil {
		return // generating the files reports the error
	}
	c.collect(jsontext.Value(whole))
	for _, r := range slices.Concat(contract.Resources, contract.Templates) {
		c.uri(r.URI, r.URITemplate)
	}
	for _, skill := range s.Skills {
		for name := range skill.URIs() {
			c.static[name] = true
		}
	}
	for _, t := range s.texts {
		c.text(t)
	}
}

func (c *checker) callable(name string, input manifest.Schema) {
	var names []string
	for _, m := range rawjson.Parts(rawjson.Get(input, "properties")) {
		names = append(names, m.Name)
	}
	c.arguments[name] = names
	if first, _, several := strings.Cut(name, "_"); several {
		c.prefixes[first] = true
	}
}

// collect adds the names and the strings of a JSON value to the words, except text for people.
func (c *checker) collect(v jsontext.Value) {
	if v.Kind() == '"' {
		c.words[rawjson.Text(v)] = true
	}
	for _, m := range rawjson.Parts(v) {
		c.words[m.Name] = true
		if !slices.Contains([]string{"description", "title", "examples", "skills"}, m.Name) || m.Value.Kind() == '{' {
			c.collect(m.Value)
		}
	}
}

// uri adds the URI or the template of a resource.
func (c *checker) uri(uri, template string) {
	if template != "" {
		c.static[template] = true
		if t, err := uris.Parse(template); err == nil {
			c.templates = append(c.templates, t)
		}
	} else {
		c.static[uri] = true
	}
	if scheme, _, ok := strings.Cut(uri+template, ":"); ok && !slices.Contains(public, scheme) {
		c.schemes[scheme] = true
	}
}

// public are schemes whose URIs need not belong to the server.
var public = []string{"http", "https", "file", "mailto", "data", "urn"}

var (
	// allowed matches the comment that accepts findings on its line, or on the next if nothing else is on its line.
	allowed = lazyregexp.New(`<!--\s*jp:allow\s+((?:JP[0-9]{3}\s+)+)(?:reason="[^"]*"\s*)?-->`)
	// word matches a name like that of a tool, with the arguments of a call.
	word = lazyregexp.New(`[A-Za-z_][A-Za-z0-9_]*(\([^()]*\))?`)
	// link matches a URI.
	link = lazyregexp.New("[A-Za-z][A-Za-z0-9+.-]*://[^\\s`\"'<>()\\[\\]|\\\\^]*")
	// placeholder matches a variable in a URI that a text mentions.
	placeholder = lazyregexp.New(`\{[+#./;?&]?[A-Za-z_][A-Za-z0-9_.,-]*\}|\*+`)
	snake       = lazyregexp.New(`^[a-z][a-z0-9]*(_[a-z0-9]+)+$`)
	// quoted matches a value in quotes, which may contain commas.
	quoted     = lazyregexp.New(`"[^"]*"|'[^']*'`)
	identifier = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// A line is a line of a text.
type line struct {
	*checker
	at   token.Position // of its first character
	skip bool
}

func (c *checker) text(t text) {
	above, number := false, 0
	for content := range strings.Lines(t.data) {
		number++
		here := allowed().FindString(content)
		codes := allowed().FindStringSubmatch(content)
		allows := codes != nil && slices.Contains(strings.Fields(codes[1]), string(diag.StraySkill))
		l := line{c, token.Position{Filename: t.name, Line: number, Column: 1}, above || allows}
		above = allows && strings.TrimSpace(content) == here
		if !l.skip {
			l.check(strings.TrimRight(content, "\r\n"))
		}
	}
}

func (l line) add(column int, format string, args ...any) *diag.Finding {
	at := l.at
	at.Column = column + 1
	return l.list.AddAt(at, diag.StraySkill, format, args...)
}

// suggest adds a hint with the name that was probably meant.
func suggest(f *diag.Finding, name string, among []string) {
	accept := `, or accept the line with <!-- jp:allow ` + string(diag.StraySkill) + ` -->`
	if near, ok := phrase.Nearest(name, among); ok {
		f.Suggest("did you mean %s?", near)
	} else {
		f.Suggest("correct it%s", accept)
	}
}

func (l line) check(content string) {
	rest := []byte(content)
	for _, at := range link().FindAllStringIndex(content, -1) {
		l.link(at[0], strings.TrimRight(content[at[0]:at[1]], ".,;:!?*_"))
		for i := at[0]; i < at[1]; i++ {
			rest[i] = ' ' // the words in a URI are no names
		}
	}
	for _, at := range word().FindAllIndex(rest, -1) {
		name, list, called := strings.Cut(string(rest[at[0]:at[1]]), "(")
		if at[0] > 0 && strings.ContainsRune("/.-$@%&#", rune(rest[at[0]-1])) {
			continue // part of a path, a flag or a variable
		}
		names, known := l.arguments[name]
		switch first, _, _ := strings.Cut(name, "_"); {
		case known && called:
			l.call(at[0]+len(name)+1, name, strings.TrimSuffix(list, ")"), names)
		case !known && snake().MatchString(name) && l.prefixes[first] && !l.words[name]:
			f := l.add(at[0], "there is no tool %s", name)
			suggest(f, name, slices.Sorted(maps.Keys(l.arguments)))
		}
	}
}

// call checks the names of arguments in a call such as note_create(title, body="…").
func (l line) call(column int, tool, list string, known []string) {
	list = quoted().ReplaceAllStringFunc(list, func(text string) string { return strings.Repeat("0", len(text)) })
	for part := range strings.SplitSeq(list, ",") {
		name, _, _ := strings.Cut(part, "=")
		name, _, _ = strings.Cut(name, ":")
		at := column + len(name) - len(strings.TrimLeft(name, " `\"?[*"))
		column += len(part) + 1
		name = strings.Trim(name, " `\"?[]*")
		if !identifier().MatchString(name) || slices.Contains(known, name) ||
			slices.Contains([]string{"true", "false", "null", "None", "True", "False"}, name) {
			continue
		}
		f := l.add(at, "%s has no argument %s", tool, name)
		suggest(f, name, known)
	}
}

// link checks a URI of the server.
func (l line) link(column int, uri string) {
	scheme, _, _ := strings.Cut(uri, ":")
	if !l.schemes[scheme] || l.static[uri] || l.static[strings.TrimSuffix(uri, "/")] {
		return
	}
	filled := placeholder().ReplaceAllString(uri, "x")
	for _, t := range l.templates {
		if _, ok := t.Match(filled); ok {
			return
		}
	}
	if rest := strings.TrimPrefix(uri, scheme+"://"); rest == "" || strings.Trim(rest, "./…") == "" {
		return // the scheme itself
	}
	f := l.add(column, "there is no resource %s", phrase.Clip(uri, 80))
	suggest(f, uri, slices.Sorted(maps.Keys(l.static)))
}
