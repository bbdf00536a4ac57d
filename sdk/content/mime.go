package content

import (
	"path"
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

// textType returns the MIME type of text, without its charset: text in JSON is always Unicode. The name takes
// precedence over the content, which hardly distinguishes programming languages.
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
	// Prose may start with "BM", the signature of bitmaps.
	return "text/plain"
}

// binaryType returns the MIME type of binary data. It includes the charset of text in UTF-16 or UTF-32. For
// any other text the detector wrongly reports UTF-8, so that charset is removed.
func binaryType(data []byte) string {
	return strings.TrimSuffix(mimetype.Detect(data).String(), "; charset=utf-8")
}

// namedTypes maps the names and extensions of source files and documents, in lower case, to MIME types. It
// exists because the table of package mime differs between machines. Registered types have priority. A
// language without one has the type that editors and code hosts use; Rust has the type that JP RFD 058 uses.
// An asterisk stands for the extension.
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

// namedType returns the MIME type of a source file or document based on its name, or "" if the name is unknown.
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
