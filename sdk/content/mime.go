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

// namedType returns the MIME type of a source or document by its name, and "" for
// a name that says nothing. It is a table of its own, since that of package mime
// differs from machine to machine. Registered types come first; a language
// without one has the name that editors and code hosts know it by, and Rust that
// of JP RFD 058.
func namedType(name string) string {
	name = strings.ToLower(name)
	switch name {
	case "makefile", "gnumakefile":
		return "text/x-makefile"
	case "dockerfile", "containerfile":
		return "text/x-dockerfile"
	case "cargo.lock":
		return "application/toml"
	}
	switch path.Ext(name) {
	// Documents and data.
	case ".txt", ".text", ".log":
		return "text/plain"
	case ".md", ".markdown":
		return "text/markdown"
	case ".rst":
		return "text/x-rst"
	case ".adoc", ".asciidoc":
		return "text/asciidoc"
	case ".org":
		return "text/org"
	case ".tex":
		return "application/x-tex"
	case ".html", ".htm":
		return "text/html"
	case ".xml", ".xsd", ".xsl":
		return "application/xml"
	case ".svg":
		return "image/svg+xml"
	case ".csv":
		return "text/csv"
	case ".tsv":
		return "text/tab-separated-values"
	case ".json":
		return "application/json"
	case ".jsonl", ".ndjson":
		return "application/x-ndjson"
	case ".yaml", ".yml":
		return "application/yaml"
	case ".toml":
		return "application/toml"
	case ".ini", ".cfg", ".conf":
		return "text/x-ini"
	case ".diff", ".patch":
		return "text/x-diff"
	case ".vcf":
		return "text/vcard"
	case ".ics":
		return "text/calendar"
	// Languages.
	case ".c", ".h":
		return "text/x-c"
	case ".cc", ".cpp", ".cxx", ".hh", ".hpp":
		return "text/x-c++"
	case ".cs":
		return "text/x-csharp"
	case ".clj", ".cljs", ".edn":
		return "text/x-clojure"
	case ".css":
		return "text/css"
	case ".dart":
		return "text/x-dart"
	case ".ex", ".exs":
		return "text/x-elixir"
	case ".erl", ".hrl":
		return "text/x-erlang"
	case ".go":
		return "text/x-go"
	case ".graphql", ".gql":
		return "application/graphql"
	case ".hs":
		return "text/x-haskell"
	case ".java":
		return "text/x-java"
	case ".js", ".mjs", ".cjs":
		return "text/javascript"
	case ".jsx":
		return "text/jsx"
	case ".jl":
		return "text/x-julia"
	case ".kt", ".kts":
		return "text/x-kotlin"
	case ".less":
		return "text/x-less"
	case ".lua":
		return "text/x-lua"
	case ".ml", ".mli":
		return "text/x-ocaml"
	case ".nix":
		return "text/x-nix"
	case ".php":
		return "text/x-php"
	case ".pl", ".pm":
		return "text/x-perl"
	case ".proto":
		return "text/x-protobuf"
	case ".ps1":
		return "text/x-powershell"
	case ".py", ".pyi":
		return "text/x-python"
	case ".r":
		return "text/x-r"
	case ".rb":
		return "text/x-ruby"
	case ".rs":
		return "text/rust"
	case ".scala", ".sbt":
		return "text/x-scala"
	case ".scss":
		return "text/x-scss"
	case ".sh", ".bash", ".zsh":
		return "text/x-shellscript"
	case ".sql":
		return "application/sql"
	case ".swift":
		return "text/x-swift"
	case ".ts", ".mts", ".cts":
		return "text/typescript"
	case ".tsx":
		return "text/tsx"
	case ".zig":
		return "text/x-zig"
	}
	return ""
}
