package content

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"
)

// isText reports whether data can go as text. NUL is in UTF-8 but in no text.
func isText(data []byte) bool {
	return utf8.Valid(data) && bytes.IndexByte(data, 0) < 0
}

// textType returns the MIME type of a text, without its character set: in JSON
// every text is Unicode. The name counts for more than the first bytes, which
// tell hardly one programming language from another.
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
	// Prose may begin with BM, as bitmaps do.
	return "text/plain"
}

// binaryType returns the MIME type of bytes. Of a text in UTF-16 or UTF-32 it names
// the character set. Any other text is said to be UTF-8, which it is not.
func binaryType(data []byte) string {
	return strings.TrimSuffix(mimetype.Detect(data).String(), "; charset=utf-8")
}

// namedTypes are the MIME types of sources and documents, each with the names or endings of its
// files in lower case. It is a table of its own, since that of package mime differs from machine to
// machine. Registered types come first; a language without one has the name that editors and code
// hosts know it by, and Rust that of JP RFD 058.
var namedTypes = [...]struct{ mimeType, names string }{
	{"text/x-makefile", "makefile gnumakefile"},
	{"text/x-dockerfile", "dockerfile containerfile"},

	// Documents and data.
	{"text/plain", ".txt .text .log"},
	{"text/markdown", ".md .markdown"},
	{"text/x-rst", ".rst"},
	{"text/asciidoc", ".adoc .asciidoc"},
	{"text/org", ".org"},
	{"application/x-tex", ".tex"},
	{"text/html", ".html .htm"},
	{"application/xml", ".xml .xsd .xsl"},
	{"image/svg+xml", ".svg"},
	{"text/csv", ".csv"},
	{"text/tab-separated-values", ".tsv"},
	{"application/json", ".json"},
	{"application/x-ndjson", ".jsonl .ndjson"},
	{"application/yaml", ".yaml .yml"},
	{"application/toml", ".toml cargo.lock"},
	{"text/x-ini", ".ini .cfg .conf"},
	{"text/x-diff", ".diff .patch"},
	{"text/vcard", ".vcf"},
	{"text/calendar", ".ics"},

	// Languages.
	{"text/x-c", ".c .h"},
	{"text/x-c++", ".cc .cpp .cxx .hh .hpp"},
	{"text/x-csharp", ".cs"},
	{"text/x-clojure", ".clj .cljs .edn"},
	{"text/css", ".css"},
	{"text/x-dart", ".dart"},
	{"text/x-elixir", ".ex .exs"},
	{"text/x-erlang", ".erl .hrl"},
	{"text/x-go", ".go"},
	{"application/graphql", ".graphql .gql"},
	{"text/x-haskell", ".hs"},
	{"text/x-java", ".java"},
	{"text/javascript", ".js .mjs .cjs"},
	{"text/jsx", ".jsx"},
	{"text/x-julia", ".jl"},
	{"text/x-kotlin", ".kt .kts"},
	{"text/x-less", ".less"},
	{"text/x-lua", ".lua"},
	{"text/x-ocaml", ".ml .mli"},
	{"text/x-nix", ".nix"},
	{"text/x-php", ".php"},
	{"text/x-perl", ".pl .pm"},
	{"text/x-protobuf", ".proto"},
	{"text/x-powershell", ".ps1"},
	{"text/x-python", ".py .pyi"},
	{"text/x-r", ".r"},
	{"text/x-ruby", ".rb"},
	{"text/rust", ".rs"},
	{"text/x-scala", ".scala .sbt"},
	{"text/x-scss", ".scss"},
	{"text/x-shellscript", ".sh .bash .zsh"},
	{"application/sql", ".sql"},
	{"text/x-swift", ".swift"},
	{"text/typescript", ".ts .mts .cts"},
	{"text/tsx", ".tsx"},
	{"text/x-zig", ".zig"},
}

// namedType returns the MIME type of a source or document by its name, and "" for
// a name that says nothing.
func namedType(name string) string {
	name = strings.ToLower(name)
	ending := path.Ext(name)
	for _, t := range namedTypes {
		for known := range strings.FieldsSeq(t.names) {
			if known == name || known == ending {
				return t.mimeType
			}
		}
	}
	return ""
}
