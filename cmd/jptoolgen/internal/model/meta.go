package model

import (
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// metaKey matches the keys of _meta (MCP 2025-11-25, General fields).
var metaKey = lazyregexp.New(`^(([A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$`)

// metaKinds holds the required kind of value for each key that clients are known to read.
var metaKinds = map[string]jsontext.Kind{
	"anthropic/alwaysLoad": 't', "anthropic/requiresUserInteraction": 't', "anthropic/searchHint": '"',
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
				b.list.Add(a.ValuePos, diag.BadArgument, "%s has invalid JSON", a.Name).Suggest("correct it, or write a plain string that does not start with {, [ or a quote")
				continue
			}
		} else if !value.IsValid() {
			value = rawjson.Quote(a.Value)
		}
		kind := value.Kind()
		if kind == 'f' {
			kind = 't'
		}
		if want, known := metaKinds[a.Name]; known && kind != want {
			b.list.Add(a.ValuePos, diag.BadArgument, "invalid %s %s", a.Name, value).
				Suggest("write %s", map[jsontext.Kind]string{'t': "true or false", '"': "a string"}[want])
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
		return "use a domain of your own, because this one is reserved"
	}
	return ""
}

// maxIcon is the maximum length of an icon in bytes. Icons must be short, because every list of tools contains
// them.
const maxIcon = 8 << 10

func (b *builder) icon(a directive.Arg) string {
	u, err := url.Parse(a.Value)
	remote := err == nil && u.Scheme == "https" && u.Host != ""
	inline := strings.HasPrefix(a.Value, "data:image/") && strings.Contains(a.Value, ";base64,")
	if !remote && !inline || len(a.Value) > maxIcon {
		b.list.Add(a.ValuePos, diag.BadArgument, "invalid icon %.60q", a.Value).
			Suggest("write an https: URL, or data:image/png;base64, followed by the image; at most %d bytes", maxIcon)
		return ""
	}
	return a.Value
}
