package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree creates files and returns their root directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestExpand(t *testing.T) {
	root := tree(t, map[string]string{
		"go.mod": "module example.com/m\n", "a/b/b.go": "", "a/testdata/t.go": "", "a/_x/x.go": "", ".git/g.go": "",
		"vendor/v/v.go": "", "node_modules/n/n.go": "", "nested/go.mod": "", "nested/n.go": "",
	})
	for _, tt := range []struct {
		from     string
		patterns string
		want     string
	}{
		{"", "", "."},
		{"a", ".", "a"},
		{"a", "..", "."},
		{"", "./...", ". a a/b"},
		{"", "...", ". a a/b"},
		{"a", "./...", "a a/b"},
		{"a", "../a/b ./b", "a/b"},
		{"a/b", "example.com/m/a/...", "a a/b"},
		{"a/b", "example.com/m", "."},
		{"", "./nested", "nested"},
	} {
		places, err := expand(filepath.Join(root, tt.from), strings.Fields(tt.patterns))
		if err != nil {
			t.Errorf("%+v: %v", tt, err)
			continue
		}
		var got []string
		for _, p := range places {
			rel, err := filepath.Rel(root, p.dir)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.ToSlash(rel))
		}
		if !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%+v: got %q", tt, got)
		}
	}
	for _, pattern := range []string{"./c", "c", "example.com/mm", "example.com/other", "./a/b/b.go"} {
		if places, err := expand(root, []string{pattern}); err == nil {
			t.Errorf("%s: got %v", pattern, places)
		}
	}
}

// A module may be a symbolic link, even if it contains files that the go command ignores.
func TestLinks(t *testing.T) {
	root := tree(t, map[string]string{"go.mod": "module example.com/m\n", "a/a.go": "//jp:server\n"})
	link := filepath.Join(t.TempDir(), "link")
	for path, target := range map[string]string{link: root, filepath.Join(root, "a", "0.go"): root, filepath.Join(root, "a", "1.go"): "missing"} {
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	places, err := expand(link, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	if dirs, err := markedDirs(places); err != nil || !slices.Equal(dirs, []string{filepath.Join(link, "a")}) {
		t.Errorf("got %v, %v", dirs, err)
	}
}
