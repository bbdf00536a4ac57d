package declared

import (
	"go/ast"
	"regexp"
	"strings"
	"sync"
)

// plain returns the text of a comment that is meant for people: without directives, markers of other tools, tasks,
// and the stars of block comments.
func plain(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	clean := &ast.CommentGroup{List: make([]*ast.Comment, len(g.List))}
	for i, c := range g.List {
		clean.List[i] = &ast.Comment{Slash: c.Slash, Text: unstarred(c.Text)}
	}
	text := clean.Text()
	m := markers()
	swagger := strings.Contains(text, "swagger:")
	var lines []string
	inTask := false
	for line := range strings.SplitSeq(text, "\n") {
		word := strings.TrimSpace(line)
		inTask = word != "" && (inTask || m.task.MatchString(word))
		if inTask || m.line.MatchString(word) || m.rule.MatchString(word) || swagger && m.swagger.MatchString(word) {
			continue
		}
		lines = append(lines, m.tail.ReplaceAllString(line, ""))
	}
	return strings.TrimLeft(strings.Join(lines, "\n"), "\n")
}

// unstarred returns a block comment without the star at the start of each line, if every line has one.
func unstarred(text string) string {
	inner, ok := strings.CutPrefix(text, "/*")
	if !ok || !strings.Contains(inner, "\n") {
		return text
	}
	lines := strings.Split(strings.TrimSuffix(inner, "*/"), "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch star := strings.HasPrefix(line, "*"); {
		case i == 0: // follows /* or /**
			lines[i] = strings.TrimLeft(line, "*")
		case !star && line != "":
			return text
		case star:
			lines[i] = strings.TrimPrefix(strings.TrimPrefix(line, "*"), " ")
		}
	}
	return "/*" + strings.Join(lines, "\n") + "*/"
}

// tools are names of tools that read markers such as "revive:disable". Text in the form "name:value" is not a marker
// of any other tool.
const tools = `nolint|lint|revive|staticcheck|gosec|swagger|exhaustive|exhaustruct|golangci|golangci-lint|gocritic|gocyclo|` +
	`gofumpt|gofmt|govet|wrapcheck|ireturn|errcheck|depguard|forbidigo|varnamelen|unparam|unused|gci|dupl|` +
	`go|line|export|easyjson|ffjson|goverter|ent|sqlc|mockery|counterfeiter|moq|wire|stringer|enumer|` +
	`k8s|genclient|controller-gen|kubebuilder|operator-sdk|protobuf|buf|protolint|openapi|oapi-codegen|gqlgen|` +
	`coverage|cover|nosemgrep|semgrep|gitleaks|cspell|codespell|spellchecker|spell-checker|sonar|codecov|noinspection|` +
	`goland|checklocks|checkescape|nilaway|gorm|msgp|ruleguard|gojsonschema|deepcopy|jscpd|pragma`

// A markerSet matches lines, in order: a marker, its form in the middle of a line, a task for the authors, the fields
// of a go-swagger comment, and a line of decoration.
type markerSet struct{ line, tail, task, swagger, rule *regexp.Regexp }

var markers = sync.OnceValue(func() markerSet {
	return markerSet{
		line: regexp.MustCompile(`^(?:` +
			`\+[A-Za-z][\w./:-]*(?:[=({].*)?` + // +kubebuilder:validation:Enum=a;b
			`|(?i:` + tools + `):\s?\S.*` + // revive:disable-next-line
			`|nolint\b.*|(?i:#?nosec|noinspection|nosemgrep|NOSONAR|nolintlint)\b.*|prettier-ignore.*` +
			`|@(?i:summary|description|tags|accept|produce|param|success|failure|response|header|router|id|security|deprecated|title|` +
			`version|host|basepath|schemes|example|enums?|name|in|x-[\w-]+|contact\.\w+|license\.\w+)(?:\s.*)?)$`),
		tail:    regexp.MustCompile(`\s*(?:// ?(?:(?:` + tools + `):\S|nolint\b|#nosec\b|@name\b)|#nosec\b|//nolint\b).*$`),
		task:    regexp.MustCompile(`^(?:TODO|FIXME|XXX|HACK|OPTIMIZE|BUG)(?:\([^)]*\))?(?::|\s|$)`),
		swagger: regexp.MustCompile(`(?i)^(?:in|required|example|default|minimum|maximum|min length|max length|pattern|unique|enum|extensions|discriminator|read only|collection format):`),
		rule:    regexp.MustCompile(`^(?:\*{3,}|={3,}|-{3,}|#{3,}|/{3,}|~{3,}|_{3,})$`),
	}
})
