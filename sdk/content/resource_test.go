package content_test

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/content"
)

func TestMIMETypes(t *testing.T) {
	const text, blob = false, true
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	for _, test := range []struct {
		name, data, want string
		binary           bool
	}{
		// These names mislead the MIME table of the machine, or their data misleads a detector.
		{"player.ts", "export const x = 1", "text/typescript", text},
		{"stream.ts", "\x47\x40\x00\x10\x00\xff", "application/octet-stream", blob},
		{"readme.txt", "BMW and other cars", "text/plain", text},
		{"notes", "BMW and other cars", "text/plain", text},
		{"page.md", "<html><body>", "text/markdown", text},
		{"logo.png", "version https://git-lfs.github.com/spec/v1\n", "text/plain", text},
		{"main.rs", png, "image/png", blob},
		{"nul.go", "package a\x00", "application/octet-stream", blob},
		{"latin1.py", "# caf\xe9", "text/plain", blob},
		{"utf16.txt", "\xff\xfeh\x00i\x00", "text/plain; charset=utf-16le", blob},
		{"color.log", "\x1b[31mred\x1b[0m", "text/plain", text},
		{"color", "\x1b[31mred\x1b[0m", "text/plain", text},

		{"main.rs", "fn main() {}", "text/rust", text},
		{"MAIN.RS", "fn main() {}", "text/rust", text},
		{"Makefile", "all:", "text/x-makefile", text},
		{"Dockerfile", "FROM scratch", "text/x-dockerfile", text},
		{"a.yaml", "a: 1", "application/yaml", text},
		{"a.json", "{}", "application/json", text},
		{"a.svg", "<svg/>", "image/svg+xml", text},
		{"run", "#!/usr/bin/env python3\n", "text/x-python", text},
		{"data", `{"a":1}`, "application/json", text},
		{"LICENSE", "MIT License", "text/plain", text},
		{"empty", "", "text/plain", text},
		{"empty.go", "", "text/x-go", text},
		{"logo.png", png, "image/png", blob},
		{"logo", png, "image/png", blob},
		{"a.pdf", "%PDF-1.7\n\xff\xff", "application/pdf", blob},
	} {
		for how, r := range map[string]content.Resource{
			"File":    content.File("/ws", "dir/"+test.name, []byte(test.data)),
			"Windows": content.File(`C:\ws`, `dir\`+test.name, []byte(test.data)),
			"At":      content.At("https://example.org/dir/"+test.name+"?v=a.b#c.d", []byte(test.data)),
			"opaque":  content.At("urn:"+test.name, []byte(test.data)),
		} {
			if r.MIMEType != test.want || (r.Blob != nil) != test.binary {
				t.Errorf("%s %s %q: %s, a blob %t", how, test.name, test.data, r.MIMEType, r.Blob != nil)
			}
			if got := r.Text + string(r.Blob); got != test.data {
				t.Errorf("%s %s: data %q became %q", how, test.name, test.data, got)
			}
			if err := (content.Blocks{r}).Check(); err != nil {
				t.Errorf("%s %s: %v", how, test.name, err)
			}
		}
	}
}

func TestAtKeepsItsURI(t *testing.T) {
	for _, uri := range []string{"bear://x-callback-url/open-note?id=1", "crate://serde@1.0/src/lib.rs", "%", ""} {
		if got := content.At(uri, nil).URI; got != uri {
			t.Errorf("At(%q) has the URI %q", uri, got)
		}
	}
}

// Every kind of file with a known name is distinguished from plain text.
func TestKnownNames(t *testing.T) {
	for _, name := range strings.Fields(`GNUmakefile Containerfile Cargo.lock
		.markdown .rst .adoc .org .tex .htm .xsd .tsv .ndjson .yml .toml .ini .patch .vcf .ics
		.h .hpp .cs .edn .css .dart .exs .hrl .gql .hs .java .mjs .jsx .jl .kts .less .lua .mli .nix .php
		.pm .proto .ps1 .pyi .r .rb .sbt .scss .bash .sql .swift .mts .tsx .zig`) {
		r := content.File("/ws", name, []byte("x"))
		if r.MIMEType == "text/plain" {
			t.Errorf("%s is plain text", name)
		}
		if err := (content.Blocks{r}).Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
