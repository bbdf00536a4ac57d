package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A script generates, builds and calls the first tool in the README.
func TestReadmeShowsTheFirstTool(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("testdata/script/generate_first_tool.txtar")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)
	if code == nil || !strings.Contains(string(script), "-- main.go --\n"+string(code[1])+"-- requests.txt --") {
		t.Error("README.md and the script generate_first_tool show different tools")
	}
	if lines := strings.Count(string(code[1]), "\n"); lines > 25 {
		t.Errorf("the first tool has %d lines", lines)
	}
}

// The README compares jptool with other SDKs. Its measured figures are those of the benchmarks and of the trials with
// a hostile client. UPDATE_DOCS=1 copies them.
func TestReadmeComparesSDKs(t *testing.T) {
	const path = "../../README.md"
	readme, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	median := regexp.MustCompile(` \(.*\)$`)
	page := string(readme)
	for _, row := range []struct {
		title, file, section, label, column, unit string
	}{
		{"CPU per call, with all checks", "bench/RESULTS.md", "## Calls: CPU", "", "geometric mean", " µs"},
		{"start to first call, 100 tools", "bench/RESULTS.md", "## Start", "100", "first call", " ms"},
		{"memory per idle HTTP session", "bench/RESULTS.md", "## HTTP: memory", "", "KiB per idle session", " KiB"},
		{"failed trials with a hostile client", "bench/ABUSE.md", "# Trials with a hostile client", "", "failed", ""},
		{"size of a small server", "bench/RESULTS.md", "## Lists, memory, size", "", "binary, MB", " MB"},
	} {
		want := "| " + row.title
		for _, sdk := range []string{"jptool", "go-sdk typed", "mcp-go, checking"} {
			cell := figure(t, "../../"+row.file, row.section, sdk, row.label, row.column)
			want += " | " + median.ReplaceAllString(cell, "") + row.unit
		}
		found := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(row.title) + `( \| [^|\n]*){3}`).FindString(page)
		if found = strings.TrimSpace(found); found == "" {
			t.Fatalf("README.md has no row %q", row.title)
		} else if found != want && os.Getenv("UPDATE_DOCS") == "" {
			t.Errorf("README.md has %q, want %q; run this test with UPDATE_DOCS=1", found, want)
		}
		page = strings.Replace(page, found, want, 1)
	}
	if os.Getenv("UPDATE_DOCS") == "" || page == string(readme) {
		return
	}
	if err := os.WriteFile(path, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
}

// figure returns the cell of a table in a section of a page. If the label is not "", it is the second cell of the row.
func figure(t *testing.T, path, section, sdk, label, column string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut("\n"+string(data), "\n"+section+"\n")
	at := -1
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "## ") {
			break
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if at < 0 {
			at = slices.Index(cells, column)
		} else if cells[0] == sdk && (label == "" || cells[1] == label) {
			return cells[at]
		}
	}
	t.Fatalf("%s: %s has no %q of %s", path, section, column, sdk)
	return ""
}

var (
	mdLink    = regexp.MustCompile(`\]\(([^)\s]*)\)`)
	mdHeading = regexp.MustCompile("(?m)^#{1,6} (.*)$")
	notInSlug = regexp.MustCompile(`[^\p{L}\p{N}\-_ ]`)
	mdFence   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
)

// The links between the pages lead to files and headings that exist.
func TestLinksOfPages(t *testing.T) {
	pages := []string{"../../README.md", "../../bench/ABUSE.md", "../../bench/RESULTS.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../examples/*/README.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		pages = append(pages, found...)
	}
	for _, page := range pages {
		for _, link := range mdLink.FindAllStringSubmatch(withoutCode(t, page), -1) {
			file, anchor, _ := strings.Cut(link[1], "#")
			if strings.Contains(link[1], "://") {
				continue
			}
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: there is no file %s", page, link[1])
			} else if anchor != "" && strings.HasSuffix(target, ".md") && !slices.Contains(anchors(t, target), anchor) {
				t.Errorf("%s: there is no heading %s", page, link[1])
			}
		}
	}
}

// anchors returns the anchors of the headings of a page, as GitHub derives them.
func anchors(t *testing.T, page string) (all []string) {
	for _, heading := range mdHeading.FindAllStringSubmatch(withoutCode(t, page), -1) {
		title := notInSlug.ReplaceAllString(strings.ToLower(heading[1]), "")
		all = append(all, strings.ReplaceAll(title, " ", "-"))
	}
	return all
}

// withoutCode returns the text of a page without its code blocks.
func withoutCode(t *testing.T, page string) string {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return mdFence.ReplaceAllString(string(data), "")
}
