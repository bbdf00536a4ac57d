//go:build unix

package access_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/access"
)

// Whatever the path is, no secret is read, and files are written only where writing is granted.
func FuzzConfinement(f *testing.F) {
	for _, tc := range hostile {
		f.Add(tc.path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		root := createTree(t)
		files, err := access.Open(root, policy(root))
		must(t, err)
		defer files.Close()
		if data, err := files.ReadFile(path); err == nil && bytes.Contains(data, []byte(secret)) {
			t.Fatalf("ReadFile(%q) = %q", path, data)
		}
		real, err := filepath.EvalSymlinks(filepath.Dir(root))
		must(t, err)
		if at, err := files.Check(access.Update, path); err == nil &&
			!strings.HasPrefix(at+"/", real+"/ws/build/") && !strings.HasPrefix(at+"/", real+"/mount/") {
			t.Fatalf("Check(update, %q) = %q", path, at)
		}
		if err := files.WriteFile(path, []byte("x"), 0o644); err == nil {
			for _, name := range []string{"ws/secret/f.txt", "evil/passwd", "ws/src/private/f", "ws/été/f", "ws-other/f"} {
				if data, err := os.ReadFile(filepath.Join(real, name)); err != nil || string(data) != secret {
					t.Fatalf("WriteFile(%q) wrote %s", path, name)
				}
			}
		}
	})
}
