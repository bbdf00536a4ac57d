package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/explain"
)

// exampleOf is the prefix of packages with examples of codes, such as jp101wrong.
const exampleOf = "jp"

// examples adds the correct examples of the reference and the examples of all codes. Each code must have an example.
func (m wrongModule) examples(t *testing.T) {
	t.Helper()
	if err := os.CopyFS(m.dir, os.DirFS("testdata/reference")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(m.dir, "main.go")); err != nil {
		t.Fatal(err)
	}
	for _, name := range referenceExamples(t) {
		m.want[name] = catcher{who: "nothing"}
	}
	for _, k := range diag.Kinds() {
		page, err := explain.Of(k.Code)
		if err != nil {
			t.Error(err)
			continue
		}
		if strings.TrimSpace(page.Meaning) == "" {
			t.Errorf("%s has no meaning", k.Code)
		}
		for _, f := range page.Files {
			m.example(t, strings.ToLower(string(k.Code)), f)
		}
		for which, want := range map[string]catcher{"wrong": catcherOf(k.Code), "right": {who: "nothing"}} {
			name := strings.ToLower(string(k.Code)) + which
			if m.want[name] = want; !slices.ContainsFunc(page.Files, func(f explain.File) bool { return f.Name == which+".go" }) {
				t.Errorf("codes/%s.txtar has no %s.go", k.Code, which)
			}
		}
	}
}

func referenceExamples(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir("testdata/reference")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

func catcherOf(code diag.Code) catcher {
	switch {
	case code == diag.GoError:
		return catcher{who: "compiler"}
	case code == diag.StaleCode, code == diag.MagicString, strings.HasPrefix(string(code), "JP7"):
		return catcher{"vet", []string{string(code)}}
	}
	return catcher{"generator", []string{string(code)}}
}

// example writes a file of an example to the package of its program.
func (m wrongModule) example(t *testing.T, code string, f explain.File) {
	t.Helper()
	which, rest, ok := strings.Cut(strings.TrimSuffix(f.Name, ".go"), "_")
	suffix := ".go"
	if ok {
		suffix = "_" + rest + ".go"
	} else if which == "before" {
		which, suffix = "wrong", ".before"
	}
	name := code + which
	if path := filepath.Join(m.dir, name, rest); strings.HasSuffix(rest, ".json") || strings.Contains(f.Name, "/") {
		switch first, rest, slash := strings.Cut(f.Name, "/"); {
		case first == "wrong" || first == "right": // a file of a skill
			path = filepath.Join(m.dir, code+first, rest)
		case slash: // another package, with its package clause
			path = filepath.Join(m.dir, f.Name)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f.Source), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	path := filepath.Join(m.dir, name, name+suffix)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	source := f.Source
	if suffix != "_"+rest+".go" {
		source += "\n" + explain.Shared(f.Source)
	}
	if err := os.WriteFile(path, []byte(complete(name, source)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// complete returns a file with the declarations, a package clause, and imports, including those of local packages.
func complete(pkg, source string, local ...string) string {
	var head strings.Builder
	if line, rest, _ := strings.Cut(source, "\n"); strings.HasPrefix(line, "//go:build ") {
		head.WriteString(line + "\n\n")
		source = rest
	}
	head.WriteString("package " + pkg + "\n\n")
	paths := map[string]string{}
	for _, path := range append([]string{
		"bytes", "cmp", "context", "encoding/json", "errors", "fmt", "image", "image/color", "image/png", "io", "io/fs", "maps", "net/http", "net/url",
		"os", "path", "slices", "strings", "sync", "testing", "testing/fstest", "time", "github.com/jptool/jptool/sdk", "github.com/modelcontextprotocol/go-sdk/mcp",
	}, local...) {
		paths[filepath.Base(path)] = path
	}
	for _, name := range []string{"access", "client", "content", "elicit", "fault", "gosdk", "jptest", "tool"} {
		paths[name] = paths["sdk"] + "/" + name
	}
	var used []string
	for _, m := range regexp.MustCompile(`\b([a-z]+)\.[A-Z]`).FindAllStringSubmatch(withoutComments(source), -1) {
		if path, ok := paths[m[1]]; ok && !slices.Contains(used, path) {
			used = append(used, path)
		}
	}
	for _, path := range used {
		head.WriteString("import \"" + path + "\"\n")
	}
	return head.String() + source
}

func withoutComments(source string) string {
	return regexp.MustCompile(`(?m)(^|\s)//.*$`).ReplaceAllString(source, "")
}
