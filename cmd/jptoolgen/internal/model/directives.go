package model

import (
	"go/types"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Allowable returns the codes of generator findings that a //jp:allow line can accept: findings about features
// that some clients do not support or show.
func Allowable() []diag.Code {
	return []diag.Code{diag.WideSchema, diag.BadServerName, diag.BadFieldName, diag.BadToolName, diag.MissingDoc, diag.LongDoc, diag.UnreadableDocs}
}

// allow removes the findings that //jp:allow lines accept, and reports the //jp:allow lines that accept no
// finding.
func (b *builder) allow() {
	for _, name := range slices.Sorted(maps.Keys(b.docs.files)) {
		file := b.docs.files[name]
		if file == nil {
			continue
		}
		for _, pos := range slices.Sorted(maps.Keys(file.sites)) {
			for _, line := range file.sites[pos] {
				if line.Name == "allow" {
					b.allowLine(line, file.ours)
				}
			}
		}
	}
}

func (b *builder) allowLine(line directive.Directive, ours bool) {
	for _, a := range line.Allowances(b.pkg.Fset) {
		if !slices.Contains(Allowable(), a.Code) {
			continue // package jpvet checks this line
		}
		removed := b.list.Remove(func(f diag.Finding) bool { return !f.Firm && a.Allows(f.Code, f.Pos) })
		if !removed && ours {
			b.list.Add(a.Pos, diag.IdleAllow, "//jp:allow %s does not match any finding", a.Code).Suggest("delete it")
		}
	}
}

// checkSchema reports arguments of a //jp:schema line that cannot be combined.
func (b *builder) checkSchema(t *types.TypeName) {
	if line, ok := b.docs.directive(t, "schema"); ok {
		b.checkForm(line)
	}
}

// metaKey matches the keys of _meta (MCP 2025-11-25, General fields).
var metaKey = lazyregexp.New(`^(([A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$`)

// MetaKeys returns the required kind of value for each key of _meta that clients are known to read.
func MetaKeys() map[string]string {
	return map[string]string{"anthropic/alwaysLoad": "true or false", "anthropic/requiresUserInteraction": "true or false", "anthropic/searchHint": "a string"}
}

// meta reads a //jp:meta line and returns it as an object.
func (b *builder) meta(line directive.Directive) manifest.Schema {
	args := slices.SortedFunc(slices.Values(line.Args), func(x, y directive.Arg) int { return strings.Compare(x.Name, y.Name) })
	var members []rawjson.Member
	for _, a := range args {
		if must := reservedMeta(a.Name); must != "" {
			b.list.Add(a.Pos, diag.BadArgument, "invalid _meta key %q", a.Name).Suggest("%s", must)
			continue
		}
		value := jsontext.Value(a.Value)
		if strings.ContainsAny(a.Value[:1], `{["`) {
			if !value.IsValid() {
				b.list.Add(a.ValuePos, diag.BadArgument, "the value of %s is not valid JSON", a.Name).Suggest("correct it, or write a plain string that does not start with {, [ or a quote")
				continue
			}
		} else if !value.IsValid() {
			value = rawjson.Quote(a.Value)
		}
		kind := map[jsontext.Kind]string{'t': "true or false", 'f': "true or false", '"': "a string"}[value.Kind()]
		if want, known := MetaKeys()[a.Name]; known && kind != want {
			b.list.Add(a.ValuePos, diag.BadArgument, "invalid %s %s", a.Name, value).Suggest("write %s", want)
			continue
		}
		_ = value.Compact() // the value is valid JSON
		members = append(members, rawjson.Member{Name: a.Name, Value: value})
	}
	return rawjson.Object(members)
}

// reservedMeta returns the directive to use instead of a reserved key, or "" if a tool may set the key.
func reservedMeta(key string) (must string) {
	prefix, _, _ := strings.Cut(key, "/")
	labels := strings.Split(prefix, ".")
	switch {
	case key == "anthropic/maxResultSizeChars":
		return "write budget= on the line of //jp:tool"
	case !metaKey().MatchString(key):
		return "write a name of letters, digits, - _ and . after an optional domain, such as example.com/color"
	case strings.HasPrefix(key, "computer.jp/"), len(labels) > 1 && (labels[1] == "modelcontextprotocol" || labels[1] == "mcp"), labels[0] == "modelcontextprotocol", labels[0] == "mcp":
		return "use your own domain, because this one is reserved"
	}
	return ""
}

// maxIcon is the maximum length of an icon in bytes. Icons must be short, because every tool list contains them.
const maxIcon = 8 << 10

func (b *builder) icon(a directive.Arg) string {
	u, err := url.Parse(a.Value)
	remote := err == nil && u.Scheme == "https" && u.Host != ""
	inline := strings.HasPrefix(a.Value, "data:image/") && strings.Contains(a.Value, ";base64,")
	if !remote && !inline || len(a.Value) > maxIcon {
		b.list.Add(a.ValuePos, diag.BadArgument, "invalid icon %.60q", a.Value).
			Suggest("write an https: URL or a data: URL (data:image/png;base64,…) of at most %d bytes", maxIcon)
		return ""
	}
	return a.Value
}

// aliases reads the //jp:alias lines of a method, adds a prefix to the aliases, and sorts them by name.
func (b *builder) aliases(m *types.Func, prefix string) []Alias {
	var all []Alias
	n, _ := b.docs.find(m)
	for _, line := range n.directives {
		if line.Name != "alias" {
			continue
		}
		until, _ := line.Get("until")
		if _, err := time.Parse(time.DateOnly, until.Value); err != nil && until.Value != "" {
			b.list.Add(until.ValuePos, diag.BadAlias, "invalid date %q", until.Value).Suggest("use the form YYYY-MM-DD, e.g. 2030-12-31")
		}
		for _, w := range line.Words {
			if !schema.AnyNames.ValidTool(w.Value) {
				b.list.Add(w.Pos, diag.BadAlias, "invalid former name %q: MCP tool names must %s", w.Value, schema.AnyNames.ToolRule()).
					Suggest("delete it, because no client can call it")
				continue
			}
			all = append(all, Alias{manifest.Alias{Name: prefix + w.Value, Until: until.Value}, w.Pos})
		}
	}
	slices.SortFunc(all, func(x, y Alias) int { return strings.Compare(x.Name, y.Name) })
	return all
}

// distinctAliases reports aliases that are also names of other tools.
func (b *builder) distinctAliases(s *Server) {
	owner := map[string]*Tool{}
	for _, t := range slices.Backward(s.Tools) {
		owner[t.Name] = t // if several tools have the name, the first one counts
	}
	for _, t := range s.Tools {
		for _, a := range t.Aliases {
			if other := owner[a.Name]; other != nil {
				b.list.Add(a.Pos, diag.BadAlias, "alias %s is already a name of the %s at %s", a.Name, other.Kind, b.list.Place(other.Method.Pos())).
					Suggest("delete one of them")
				continue
			}
			owner[a.Name] = t
		}
	}
}

// distinctVariables finds options that are set by the same environment variable. Only a shared option may occur
// in several tools.
func (b *builder) distinctVariables(s *Server) {
	type option struct {
		name string
		of   *types.Var
	}
	owner := map[string]option{}
	for _, t := range s.Tools {
		if t.Options == nil {
			continue
		}
		for _, f := range t.Options.Fields() {
			variable, this := t.Variable(s.Name, f.Name), option{t.Name + "." + f.Name, f.Var}
			if other := owner[variable]; other.of != nil && (other.of != f.Var || !slices.Contains(t.Shared, f.Name)) {
				b.list.Add(b.nearestPos(f.Var, t.Pos), diag.DuplicateName, "environment variable %s would set both option %s and option %s", variable, other.name, this.name).
					Suggest("rename one of them")
			}
			owner[variable] = this
		}
	}
}
