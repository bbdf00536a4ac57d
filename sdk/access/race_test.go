//go:build unix

package access_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
)

// alternate keeps swapping the file name with a link to target, until stop is called.
func alternate(t *testing.T, name, target string) (stop func()) {
	t.Helper()
	link := name + ".link"
	must(t, os.Symlink(target, link))
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			for range 2 {
				if err := swapNames(name, link); err != nil {
					t.Errorf("the swapping failed: %v", err)
					return
				}
			}
		}
	})
	return sync.OnceFunc(func() { close(done); wg.Wait() })
}

// swapNames swaps two names. On Linux, the swap is atomic. Elsewhere, it uses a third name, so one of the two names
// does not exist for a moment.
func swapNames(a, b string) error {
	if number, ok := map[string]uintptr{"linux/amd64": 316, "linux/arm64": 276}[runtime.GOOS+"/"+runtime.GOARCH]; ok {
		const atCwd, renameExchange = -100, 2
		from, err := syscall.BytePtrFromString(a)
		if err != nil {
			return err
		}
		to, err := syscall.BytePtrFromString(b)
		if err != nil {
			return err
		}
		cwd := atCwd
		_, _, errno := syscall.Syscall6(number, uintptr(cwd), uintptr(unsafe.Pointer(from)), uintptr(cwd), uintptr(unsafe.Pointer(to)), renameExchange, 0)
		if errno != 0 {
			return errno
		}
		return nil
	}
	for _, step := range [][2]string{{a, a + ".aside"}, {b, a}, {a + ".aside", b}} {
		if err := os.Rename(step[0], step[1]); err != nil {
			return err
		}
	}
	return nil
}

// Even if a file is replaced with a link after it was checked, only the checked file is opened.
func TestSwappedWhileRead(t *testing.T) {
	for _, tc := range []struct{ name, swapped, target, path string }{
		{"directory to a refused one", "src/deep", "../secret", "src/deep/f.txt"},
		{"directory to one outside", "src/deep", "../../evil", "src/deep/f.txt"},
		{"first directory", "src", "secret", "src/f.txt"},
		{"file to a refused one", "src/a.txt", "../secret/f.txt", "src/a.txt"},
		{"file to one below", "src/a.txt", "private/f", "src/a.txt"},
		{"file to one outside", "src/a.txt", "../../evil/passwd", "src/a.txt"},
		{"file to a pipe", "src/a.txt", "pipe", "src/a.txt"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := createTree(t)
			for name, text := range map[string]string{"ws/src/deep/f.txt": "fine", "ws/src/f.txt": "fine", "evil/f.txt": secret} {
				must(t, os.WriteFile(filepath.Join(filepath.Dir(root), name), []byte(text), 0o644))
			}
			files, err := access.Open(root, policy(root))
			must(t, err)
			defer files.Close()
			stop := alternate(t, filepath.Join(root, tc.swapped), tc.target)
			defer stop()
			read := 0
			for i := 0; i < 1500 || read == 0 && i < 100_000; i++ {
				data, err := files.ReadFile(tc.path)
				if err == nil {
					read++
				}
				if bytes.Contains(data, []byte(secret)) {
					t.Fatalf("read %q after %d reads", data, i)
				}
			}
			if read == 0 {
				t.Error("nothing was ever read")
			}
		})
	}
}

func TestSwappedWhileWritten(t *testing.T) {
	for _, tc := range []struct{ name, swapped, target, path string }{
		{"directory to a refused one", "build/dir", "../secret", "build/dir/f.txt"},
		{"directory to one outside", "build/dir", "../../evil", "build/dir/passwd"},
		{"first directory", "build", "secret", "build/f.txt"},
		{"file to one below", "build/out", "private/f", "build/out"},
		{"file to a refused one", "build/out", "../secret/f.txt", "build/out"},
		{"file to one outside", "build/out", "../../evil/passwd", "build/out"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := createTree(t)
			must(t, os.Mkdir(filepath.Join(root, "build/dir"), 0o755))
			must(t, os.Mkdir(filepath.Join(root, "build/private"), 0o755))
			must(t, os.WriteFile(filepath.Join(root, "build/private/f"), []byte(secret), 0o644))
			files, err := access.Open(root, policy(root))
			must(t, err)
			defer files.Close()
			stop := alternate(t, filepath.Join(root, tc.swapped), tc.target)
			defer stop()
			written := 0
			for i := 0; i < 1000 || written == 0 && i < 100_000; i++ {
				if err := files.WriteFile(tc.path, []byte("x"), 0o644); err == nil {
					written++
				} else if fault.CodeOf(err) == fault.Internal {
					t.Fatal(err)
				}
				if tc.swapped == tc.path {
					continue // the steps below could remove the link permanently
				}
				if err := files.Rename("fork/m.txt", tc.path); err == nil {
					must(t, os.WriteFile(filepath.Join(filepath.Dir(root), "mount/m.txt"), nil, 0o644))
				}
				_ = files.Remove(tc.path)
			}
			stop()
			if written == 0 {
				t.Error("nothing was ever written")
			}
			for _, name := range []string{"ws/secret/f.txt", "evil/passwd", "ws/build/private/f"} {
				if strings.HasPrefix(name, "ws/"+tc.swapped+"/") && !isDir(filepath.Join(root, tc.swapped)) {
					name = strings.Replace(name, tc.swapped, tc.swapped+".link", 1)
				}
				if data, err := os.ReadFile(filepath.Join(filepath.Dir(root), name)); err != nil || string(data) != secret {
					t.Errorf("%s holds %q, %v", name, data, err)
				}
			}
		})
	}
}

func isDir(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.IsDir()
}

// Many goroutines can use a file system at the same time. After it is closed, its methods fail.
func TestManyAtOnce(t *testing.T) {
	root := createTree(t)
	files, err := access.Open(root, policy(root))
	must(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if data, err := files.ReadFile("src/deep/b.txt"); err != nil || string(data) != "b" {
					t.Errorf("%q, %v", data, err)
				}
				if err := files.WriteFile("build/shared", []byte("same"), 0o644); err != nil {
					t.Error(err)
				}
				if _, err := files.OpenFile("build/once", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	must(t, files.Close())
	if _, err := files.ReadFile("src/a.txt"); fault.CodeOf(err) != fault.Internal || !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// A caller that may create but not update never changes existing files, no matter who created them.
func TestCreatedMeanwhile(t *testing.T) {
	root := t.TempDir()
	precious, name := filepath.Join(root, "precious"), filepath.Join(root, "new")
	must(t, os.WriteFile(precious, []byte(secret), 0o644))
	files, err := access.Open(root, &access.Policy{FS: []access.FSRule{{Create: new(true)}}})
	must(t, err)
	defer files.Close()
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				_ = os.Link(precious, name)
				_ = os.Remove(name)
			}
		}
	})
	made := 0
	for i := 0; i < 3000 || made == 0 && i < 100_000; i++ {
		if err := files.WriteFile("new", []byte("x"), 0o644); err == nil {
			made++
		}
	}
	close(done)
	wg.Wait()
	if data, err := os.ReadFile(precious); err != nil || string(data) != secret || made == 0 {
		t.Errorf("the file that was there holds %q, %v; %d made", data, err, made)
	}
}
