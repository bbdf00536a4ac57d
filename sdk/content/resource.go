package content

import (
	"bytes"
	"cmp"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"
)

// A Resource is content with an identity: two blocks with the same URI are the same resource, even
// in different calls. It contains text, or binary data if Blob is not nil.
type Resource struct {
	URI      string // absolute
	MIMEType string // the type of the content, which hosts use to format it; "" means unspecified
	Text     string // the content of a text resource
	Blob     []byte // the content of a binary resource, whose Text must be empty
	// Formatted is the content as the model should see it, verbatim; "" leaves formatting to the
	// host. MCP has no field for it and sends only the content.
	Formatted string
	// Name, Title and Description are shown to people; "" means none. MCP does not send them.
	Name, Title, Description string
	Annotations              Annotations
}

// File returns a file as a resource, without reading the file system. Its URI is [FileURI] of root
// and name, and its MIME type depends on the name and the data, as described for [At]. The resource
// keeps data, which must not be changed afterwards.
func File(root, name string, data []byte) Resource {
	return newResource(FileURI(root, name), name[strings.LastIndexAny(name, `/\`)+1:], data)
}

// At returns data as a resource with the given URI, which is used unchanged. The resource contains
// text if data is UTF-8 without NUL, and binary data otherwise. The MIME type of text is determined
// by the last segment of the URI if that is the name of a known kind of source file or document,
// otherwise by the data. The resource keeps data, which must not be changed afterwards.
func At(uri string, data []byte) Resource {
	name := ""
	if u, err := url.Parse(uri); err == nil {
		name = path.Base(u.Path + u.Opaque)
	}
	return newResource(uri, name, data)
}

func newResource(uri, name string, data []byte) Resource {
	if utf8.Valid(data) && !bytes.ContainsRune(data, 0) { // NUL is valid UTF-8 but does not occur in text
		return Resource{URI: uri, MIMEType: textType(name, data), Text: string(data)}
	}
	return Resource{URI: uri, MIMEType: binaryType(data), Blob: data}
}

func (r Resource) text(alone bool) string {
	switch {
	case r.Formatted != "":
		return r.Formatted
	case r.Blob != nil:
		return note(r.MIMEType, len(r.Blob)) + " " + r.URI
	case alone:
		return r.Text
	}
	return strings.TrimSuffix(r.URI+"\n"+r.Text, "\n")
}

// textType returns the MIME type of text. It has no charset, because text in JSON is always Unicode.
// The name takes precedence over the content, which hardly distinguishes programming languages.
func textType(name string, data []byte) string {
	if t := namedType(name); t != "" {
		return t
	}
	found := mimetype.Detect(data)
	for m := found; m != nil; m = m.Parent() {
		if m.Is("text/plain") {
			t, _, _ := strings.Cut(found.String(), ";")
			return t
		}
	}
	return "text/plain" // such as prose that starts with "BM", the signature of bitmaps
}

// binaryType returns the MIME type of binary data, with the charset of text in UTF-16 or UTF-32. For
// any other text, the detector wrongly reports UTF-8.
func binaryType(data []byte) string {
	return strings.TrimSuffix(mimetype.Detect(data).String(), "; charset=utf-8")
}

// namedTypes maps lower-case names and extensions to MIME types, because the table of package mime
// differs between machines. A type is the registered one, or else the one that editors and code
// hosts use; Rust has the type of JP RFD 058. An asterisk stands for the extension.
var namedTypes = [...]struct{ mimeType, names string }{
	{"text/*", ".css .csv .jsx .org .tsx"},
	{"text/x-*", ".dart .go .java .less .lua .nix .php .r .rst .scss .swift .zig"},
	{"application/*", ".json .sql"},
	{"text/x-makefile", "makefile gnumakefile"},
	{"text/x-dockerfile", "dockerfile containerfile"},

	// Documents and data.
	{"text/plain", ".txt .text .log"},
	{"text/markdown", ".md .markdown"},
	{"text/asciidoc", ".adoc .asciidoc"},
	{"application/x-tex", ".tex"},
	{"text/html", ".html .htm"},
	{"application/xml", ".xml .xsd .xsl"},
	{"image/svg+xml", ".svg"},
	{"text/tab-separated-values", ".tsv"},
	{"application/x-ndjson", ".jsonl .ndjson"},
	{"application/yaml", ".yaml .yml"},
	{"application/toml", ".toml cargo.lock"},
	{"text/x-ini", ".ini .cfg .conf"},
	{"text/x-diff", ".diff .patch"},
	{"text/vcard", ".vcf"},
	{"text/calendar", ".ics"},

	// Programming languages.
	{"text/x-c", ".c .h"},
	{"text/x-c++", ".cc .cpp .cxx .hh .hpp"},
	{"text/x-csharp", ".cs"},
	{"text/x-clojure", ".clj .cljs .edn"},
	{"text/x-elixir", ".ex .exs"},
	{"text/x-erlang", ".erl .hrl"},
	{"application/graphql", ".graphql .gql"},
	{"text/x-haskell", ".hs"},
	{"text/javascript", ".js .mjs .cjs"},
	{"text/x-julia", ".jl"},
	{"text/x-kotlin", ".kt .kts"},
	{"text/x-ocaml", ".ml .mli"},
	{"text/x-perl", ".pl .pm"},
	{"text/x-protobuf", ".proto"},
	{"text/x-powershell", ".ps1"},
	{"text/x-python", ".py .pyi"},
	{"text/x-ruby", ".rb"},
	{"text/rust", ".rs"},
	{"text/x-scala", ".scala .sbt"},
	{"text/x-shellscript", ".sh .bash .zsh"},
	{"text/typescript", ".ts .mts .cts"},
}

// namedType returns the MIME type of a source file or document, or "" if the name is unknown.
func namedType(name string) string {
	name = strings.ToLower(name)
	ending := path.Ext(name)
	for _, t := range namedTypes {
		for known := range strings.FieldsSeq(t.names) {
			if known == name || known == ending {
				return strings.Replace(t.mimeType, "*", strings.TrimPrefix(ending, "."), 1)
			}
		}
	}
	return ""
}

// FileURI returns the URI of a file whose name is absolute or relative to root (RFC 8089). All
// names of the same path have the same URI: . and .. are resolved lexically, a trailing slash is
// removed, characters that RFC 3986 does not allow in a path are escaped, and drive letters are
// upper case. [Blocks.Check] rejects the URI if name is relative and root is not absolute.
//
// On every operating system, names are Windows paths if root starts with a drive letter or two
// backslashes, or if name does and root is empty.
func FileURI(root, name string) string {
	if windows(root) || root == "" && windows(name) {
		return windowsURI(root, name)
	}
	switch {
	case strings.HasPrefix(name, "/"):
	case strings.HasPrefix(root, "/"):
		name = root + "/" + name
	default:
		return "file:" + escape(name)
	}
	return "file://" + escape(path.Clean(name))
}

// windows reports whether name is an absolute Windows path.
func windows(name string) bool {
	return strings.HasPrefix(name, `\\`) || hasDrive(name) && (len(name) == 2 || name[2] == '/' || name[2] == '\\')
}

func hasDrive(name string) bool {
	return len(name) >= 2 && name[1] == ':' && 'a' <= name[0]|0x20 && name[0]|0x20 <= 'z'
}

func windowsURI(root, name string) string {
	volume, rest := cutVolume(root)
	own, ownRest := cutVolume(name)
	own = cmp.Or(own, volume)
	switch {
	case strings.HasPrefix(ownRest, "/"):
		volume, rest = own, ownRest
	case own != volume:
		// D:x is relative to a directory that only its process knows.
		return "file:" + escape(name)
	default:
		rest += "/" + ownRest
	}
	if host, isHost := strings.CutPrefix(volume, "//"); isHost {
		return "file://" + escape(host) + escape(path.Clean(rest))
	}
	return "file:///" + volume + escape(path.Clean(rest))
}

// cutVolume splits a Windows path into its drive, such as C:, or its server, such as //server, and
// the rest with slashes. It removes the prefixes of long paths.
func cutVolume(name string) (volume, rest string) {
	name = strings.ReplaceAll(name, `\`, "/")
	if long, ok := strings.CutPrefix(name, "//?/"); ok {
		name = long
		if share, ok := strings.CutPrefix(long, "UNC/"); ok {
			name = "//" + share
		}
	}
	if hasDrive(name) {
		return strings.ToUpper(name[:2]), name[2:]
	}
	if share, ok := strings.CutPrefix(name, "//"); ok {
		host, rest, _ := strings.Cut(share, "/")
		return "//" + strings.ToLower(host), "/" + rest
	}
	return "", name
}

// escape escapes every byte except slashes and the bytes that RFC 3986 allows in a path segment.
func escape(name string) string {
	return allowed.Replace((&url.URL{Path: name}).EscapedPath())
}

// allowed restores the bytes that net/url escapes even though RFC 3986 allows them.
var allowed = strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")
