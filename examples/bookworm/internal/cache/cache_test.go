package cache_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/archive"
	"github.com/jptool/jptool/examples/bookworm/internal/cache"
	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/examples/bookworm/sample"
)

func open(t *testing.T, dir string, limit int64) *cache.Cache {
	t.Helper()
	c, err := cache.Open(dir, limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// downloadOf returns a download function that delivers data.
func downloadOf(data []byte) func(context.Context, *os.File) error {
	return func(_ context.Context, f *os.File) error {
		_, err := f.Write(data)
		return err
	}
}

func fetch(t *testing.T, c *cache.Cache, name, version string, data []byte) *cache.Release {
	t.Helper()
	r, err := c.Fetch(context.Background(), name, version, "", false, downloadOf(data))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// files returns the names of the files below dir.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestNamesStayInside(t *testing.T) {
	parent := t.TempDir()
	c := open(t, filepath.Join(parent, "cache"), 0)
	never := func(context.Context, *os.File) error {
		t.Error("downloaded")
		return nil
	}
	for _, name := range []string{"..", "../x", "a/../../x", "/etc", `a\b`, "", ".", "a\x00", "a:b", "a b", strings.Repeat("a", 300), "a..b", "~", "%2e%2e", "\n", "-", "é"} {
		if _, err := c.Fetch(context.Background(), name, "1.0.0", "", false, never); err == nil {
			t.Errorf("name %q: no error", name)
		}
		if _, err := c.Fetch(context.Background(), "a", name, "", false, never); err == nil {
			t.Errorf("version %q: no error", name)
		}
		if _, ok := c.Load(name, "versions"); ok {
			t.Errorf("document of %q", name)
		}
		if _, err := c.Refresh(context.Background(), "a", name, func(cache.Document) bool { return false }, nil); err == nil {
			t.Errorf("document %q: no error", name)
		}
	}
	if got := files(t, parent); len(got) > 0 {
		t.Errorf("left behind: %q", got)
	}
}

// Links in the cache are not followed.
func TestLinksLeadNowhere(t *testing.T) {
	for _, link := range []string{"crates", "registry", "locks", "crates/tea-time@1.2.0", "registry/tea-time", "locks/tea-time@1.2.0"} {
		dir, outside := t.TempDir(), t.TempDir()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
		c, err := cache.Open(dir, 0)
		if err == nil {
			_, err = c.Fetch(context.Background(), "tea-time", "1.2.0", "", false, downloadOf(sample.Docs))
			_, err2 := c.Refresh(context.Background(), "tea-time", "x", func(cache.Document) bool { return false },
				func(context.Context, cache.Document) (cache.Document, error) { return cache.Document{}, nil })
			err = errors.Join(err, err2, c.Close())
		}
		if err == nil {
			t.Errorf("%s: no error", link)
		}
		if got := files(t, outside); len(got) > 0 {
			t.Errorf("%s: %q outside of the cache", link, got)
		}
	}
}

// A download that is not an archive of the crate leaves nothing in the cache.
func TestHostileArchivesAreNotKept(t *testing.T) {
	c := open(t, t.TempDir(), 0)
	for name, data := range cratestest.Hostile() {
		switch name {
		case "wrong size", "broken file", "file and folder", "folder and file":
			continue // this damage is detected when files are read
		}
		_, err := c.Fetch(context.Background(), "tea-time", "1.2.0", "", false, downloadOf(data))
		var bad *archive.BadError
		if !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
		if got := files(t, filepath.Join(c.Dir(), "crates")); len(got) > 0 {
			t.Errorf("%s: left behind %q", name, got)
		}
	}
	fetch(t, c, "tea-time", "1.2.0", sample.Docs)
}

func TestOneDownloadForMany(t *testing.T) {
	dir := t.TempDir()
	var downloads, builds atomic.Int32
	var wg sync.WaitGroup
	for range 2 { // two attempts, like two processes
		c := open(t, dir, 0)
		for range 25 {
			wg.Go(func() {
				r, err := c.Fetch(context.Background(), "tea-time", "1.2.0", "", false, func(ctx context.Context, f *os.File) error {
					downloads.Add(1)
					return downloadOf(sample.Docs)(ctx, f)
				})
				if err != nil {
					t.Error(err)
					return
				}
				path, err := r.Index(context.Background(), func(_ context.Context, a *archive.Archive, dest string) error {
					builds.Add(1)
					page, err := a.ReadFile("tea_time/index.html")
					return errors.Join(err, os.WriteFile(dest, page, 0o600))
				})
				if _, err2 := os.Stat(path); err != nil || err2 != nil {
					t.Error(err, err2)
				}
			})
		}
	}
	wg.Wait()
	if downloads.Load() != 1 || builds.Load() != 1 {
		t.Errorf("%d downloads, %d indexes", downloads.Load(), builds.Load())
	}
}

// A canceled caller does not cancel the download for other callers; the download ends when the last caller is
// canceled.
func TestLeaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, t.TempDir(), 0)
		goOn := make(chan struct{})
		want := func(ctx context.Context, download func(context.Context, *os.File) error) <-chan error {
			got := make(chan error, 1)
			go func() {
				_, err := c.Fetch(ctx, "tea-time", "1.2.0", "", false, download)
				got <- err
			}()
			synctest.Wait() // wait until the download blocks
			return got
		}
		ctx, leave := context.WithCancel(t.Context())
		first := want(ctx, func(ctx context.Context, f *os.File) error {
			select {
			case <-goOn:
				return downloadOf(sample.Docs)(ctx, f)
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		second := want(t.Context(), func(context.Context, *os.File) error { return errors.New("a second download") })
		leave()
		if err := <-first; !errors.Is(err, context.Canceled) {
			t.Errorf("whoever left got %v", err)
		}
		close(goOn)
		if err := <-second; err != nil {
			t.Errorf("whoever stayed got %v", err)
		}
	})
}

func TestRefetchAndDiscard(t *testing.T) {
	ctx := context.Background()
	c := open(t, t.TempDir(), 0)
	if _, err := c.Find("tea-time", "1.2.0"); !errors.Is(err, cache.ErrAbsent) {
		t.Errorf("%v", err)
	}
	r := fetch(t, c, "tea-time", "1.2.0", sample.Docs)
	build := func(_ context.Context, _ *archive.Archive, dest string) error {
		return os.WriteFile(dest, []byte("index"), 0o600)
	}
	if _, err := r.Index(ctx, build); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Fetch(ctx, "tea-time", "1.2.0", "", true, downloadOf(cratestest.Padded(100))); err != nil {
		t.Fatal(err)
	}
	if got := files(t, filepath.Join(c.Dir(), "crates")); len(got) != 1 || !strings.HasSuffix(got[0], ".zip") {
		t.Errorf("after another download there are %q", got)
	}
	if _, err := r.Archive(); !errors.Is(err, cache.ErrAbsent) {
		t.Errorf("the old archive: %v", err)
	}
	r, err := c.Find("tea-time", "1.2.0")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Index(ctx, build); err != nil {
		t.Fatal(err)
	}
	for _, broken := range []bool{false, true} {
		if err := r.DiscardIndex(ctx, func(string) bool { return broken }); err != nil {
			t.Fatal(err)
		}
		if got := files(t, filepath.Join(c.Dir(), "crates")); len(got) == 1 != broken {
			t.Errorf("broken %t: %q", broken, got)
		}
	}
	if err := r.Discard(ctx); err != nil {
		t.Fatal(err)
	}
	if got := files(t, filepath.Join(c.Dir(), "crates")); len(got) > 0 {
		t.Errorf("left behind: %q", got)
	}
}

// The least recently used entry is removed first, and entries in use remain.
func TestEviction(t *testing.T) {
	dir := t.TempDir()
	size := int64(len(sample.Docs))
	c := open(t, dir, 3*size+size/2)
	for i, num := range []string{"1.0.0", "1.1.0", "1.2.0"} {
		fetch(t, c, "tea-time", num, sample.Docs)
		at := time.Now().Add(time.Duration(i-10) * time.Hour)
		if err := os.Chtimes(filepath.Join(dir, "crates", "tea-time@"+num), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Find("tea-time", "1.0.0"); err != nil { // Find marks the release as used
		t.Fatal(err)
	}
	fetch(t, c, "tea-time", "1.3.0", sample.Docs)
	var left []string
	entries, err := c.Entries()
	for _, e := range entries {
		left = append(left, e.Name)
	}
	slices.Sort(left)
	if want := []string{"tea-time@1.0.0", "tea-time@1.2.0", "tea-time@1.3.0"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("%v; left are %q, want %q", err, left, want)
	}
	if removed, err := c.Remove("tea-time@1.2.0"); err != nil || len(removed) != 1 {
		t.Errorf("%v, %v", removed, err)
	}
	if removed, err := c.Remove(""); err != nil || len(removed) != 2 {
		t.Errorf("%v, %v", removed, err)
	}
}

// A damaged document counts as missing.
func TestBrokenDocument(t *testing.T) {
	c := open(t, t.TempDir(), 0)
	ctx := context.Background()
	asked := 0
	get := func() (cache.Document, error) {
		return c.Refresh(ctx, "tea-time", "versions", func(cache.Document) bool { return true }, func(_ context.Context, old cache.Document) (cache.Document, error) {
			asked++
			return cache.Document{Checked: time.Now(), Body: fmt.Sprint(asked)}, nil
		})
	}
	path := filepath.Join(c.Dir(), "registry", "tea-time", "versions.json")
	for i, content := range []string{"", "{", `{"body":7}`, "\x00\x00"} {
		if i > 0 {
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if d, err := get(); err != nil || d.Body != fmt.Sprint(i+1) {
			t.Errorf("%q: %+v, %v", content, d, err)
		}
	}
	if err := os.WriteFile(filepath.Join(c.Dir(), "registry", "tea-time", "part"), []byte("left behind"), 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := c.Refresh(ctx, "tea-time", "crate", func(cache.Document) bool { return false }, func(context.Context, cache.Document) (cache.Document, error) {
		return cache.Document{Body: "x"}, nil
	}); err != nil || d.Body != "x" {
		t.Errorf("%+v, %v", d, err)
	}
}

// A disk error mentions the file and the reason, whether it occurs during a download, indexing or opening.
func TestErrorsOfTheDisk(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "crates/x@1/part", Err: syscall.ENOSPC}
	c := open(t, t.TempDir(), 0)
	_, fetched := c.Fetch(t.Context(), "tea-time", "1.2.0", "", false, func(context.Context, *os.File) error { return full })
	release, err := c.Fetch(t.Context(), "tea-time", "1.2.0", "", false, downloadOf(sample.Docs))
	if err != nil {
		t.Fatal(err)
	}
	_, indexed := release.Index(t.Context(), func(context.Context, *archive.Archive, string) error { return full })
	for _, err := range []error{fetched, indexed} {
		var disk *cache.DiskError
		if !errors.As(err, &disk) || disk.Path != filepath.Join(c.Dir(), "crates", "x@1", "part") || !errors.Is(disk, syscall.ENOSPC) {
			t.Errorf("%v", err)
		}
	}
	d, err := c.Refresh(t.Context(), "tea-time", strings.Repeat("x", 180), func(cache.Document) bool { return false }, func(context.Context, cache.Document) (cache.Document, error) {
		return cache.Document{Body: "x"}, os.RemoveAll(filepath.Join(c.Dir(), "registry"))
	})
	if err != nil || d.Body != "x" {
		t.Errorf("%+v, %v", d, err)
	}
}
