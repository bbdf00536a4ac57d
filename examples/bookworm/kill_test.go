package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/fsnotify/fsnotify"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
)

// wideCrate returns a crate with so many modules that indexing it takes a while.
func wideCrate() cratestest.Crate {
	files := map[string]string{}
	page := `<html><body class="rustdoc struct"><section id="main-content" class="content"><pre class="rust item-decl"><code>pub struct Teapot</code></pre>` +
		`<details class="toggle top-doc" open><div class="docblock"><p>A pot.</p></div></details></section></body></html>`
	for _, name := range []string{"index.html", "all.html", "struct.Teapot.html"} {
		files["tea_time/"+name] = page
	}
	for i := range 3000 {
		files[fmt.Sprintf("tea_time/shelf%d/struct.Teapot%d.html", i%50, i)] = page
	}
	c := cratestest.Sample("1.2.0")
	c.Versions[0].Docs = cratestest.Zip(files)
	return c
}

// A victim is a process to kill.
type victim struct {
	cmd  *exec.Cmd
	once sync.Once
	out  bytes.Buffer
}

// kill kills the process. As in a power failure, the process does not run any more code.
func (v *victim) kill() {
	v.once.Do(func() {
		if err := v.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			panic(err)
		}
	})
}

// A killPoint is a moment at which a process is killed: at a point in the server's response, or when a file
// appears in the cache.
type killPoint struct {
	name  string
	crate cratestest.Crate
	fault func(v func() *victim) (part string, f cratestest.Fault)
	seen  func(cache string) bool
}

// moments returns the points in time at which processes are killed.
func moments() []killPoint {
	var all []killPoint
	small, large := cratestest.Sample("1.2.0"), wideCrate()
	archive := len(small.Versions[0].Docs)
	at := func(name, part string, make func(kill func()) cratestest.Fault) {
		all = append(all, killPoint{name: name, crate: small, fault: func(v func() *victim) (string, cratestest.Fault) {
			return part, make(func() { v().kill() })
		}})
	}
	for _, part := range []string{"/versions", "HEAD ", "GET /crate/"} {
		at("before the answer to "+part, part, func(kill func()) cratestest.Fault {
			return cratestest.Step(1<<30, func(int) { kill() })
		})
	}
	for _, sent := range []int{1, 100, 300} {
		at(fmt.Sprintf("after %d bytes of the versions", sent), "/versions", func(kill func()) cratestest.Fault {
			return cratestest.Step(sent, func(n int) {
				if n >= sent {
					kill()
				}
			})
		})
	}
	const pieces = 20
	for i := range pieces + 1 {
		sent := archive / pieces * i
		at(fmt.Sprintf("after %d bytes of the archive", sent), "GET /crate/", func(kill func()) cratestest.Fault {
			return cratestest.Step(archive/pieces, func(n int) {
				if n >= sent {
					kill()
				}
			})
		})
	}
	exists := func(pattern string, size int64) func(string) bool {
		return func(cache string) bool {
			found, _ := filepath.Glob(filepath.Join(cache, filepath.FromSlash(pattern)))
			for _, path := range found {
				if info, err := os.Stat(path); err == nil && info.Size() >= size {
					return true
				}
			}
			return false
		}
	}
	for _, pattern := range []string{"registry", "locks/tea-time", "registry/tea-time/versions.json", "locks/tea-time@1.2.0", "crates/tea-time@1.2.0", "crates/*/*.zip", "crates/*/*.sqlite"} {
		all = append(all, killPoint{name: "when there is " + pattern, crate: large, seen: exists(pattern, 0)})
	}
	for size := range int64(6) {
		all = append(all, killPoint{name: fmt.Sprintf("when the index has %d KiB", 64*size), crate: large, seen: exists("crates/*/*.tmp", 64<<10*size)})
	}
	return all
}

// No matter when a process is killed, the next process uses or repairs the cache, and leaves no temporary files.
func TestKilledAnywhere(t *testing.T) {
	all, killed, every := moments(), 0, 1
	if testing.Short() {
		every = 4
	}
	for i, m := range all {
		if i%every != 0 {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			s := newSandbox(t, m.crate)
			if runAndKill(t, s, m) {
				killed++
			}
			out, err := s.oneshot(t, "crate_search_items", teapot).Output()
			if err != nil {
				t.Fatalf("the next start: %v", err)
			}
			if kind, text := outcome(t, out); kind != "success" || !strings.Contains(text, "<path>tea_time::Teapot</path>") {
				t.Errorf("the next start: %s %.300s", kind, text)
			}
			if left := leftovers(t, s.cache()); len(left) != 2 {
				t.Errorf("the cache holds %q", left)
			}
		})
	}
	if least := 30 / every; killed < least {
		t.Errorf("%d processes were killed at %d moments, want %d", killed, len(all)/every, least)
	}
}

// runAndKill runs a process and kills it at the given point in time. It reports whether the process was
// killed before it ended.
func runAndKill(t *testing.T, s sandbox, m killPoint) bool {
	t.Helper()
	v := &victim{cmd: s.oneshot(t, "crate_search_items", teapot)}
	v.cmd.Stdout, v.cmd.Stderr = &v.out, &v.out
	started := make(chan struct{})
	if m.fault != nil {
		part, fault := m.fault(func() *victim { <-started; return v })
		s.Break(part, 1, fault)
	}
	events := watchDir(t, s.cache())
	if err := v.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	close(started)
	ended := make(chan error, 1)
	go func() { ended <- v.cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			if err == nil {
				t.Logf("it was faster than the watch")
			}
			return err != nil && v.cmd.ProcessState.ExitCode() < 0
		case <-events:
			if m.seen != nil && m.seen(s.cache()) {
				v.kill()
			}
		}
	}
}

// watchDir signals every change in a directory and in its new subdirectories.
func watchDir(t *testing.T, dir string) <-chan struct{} {
	t.Helper()
	w, err := fsnotify.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	add := func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // path is a file, or was removed in the meantime
		}
		return w.Add(path)
	}
	if err := filepath.WalkDir(dir, add); err != nil {
		t.Fatal(err)
	}
	changes := make(chan struct{}, 1)
	go func() {
		for e := range w.Events {
			if e.Has(fsnotify.Create) {
				_ = filepath.WalkDir(e.Name, add) // a directory that cannot be watched is skipped
			}
			select {
			case changes <- struct{}{}:
			default: // the previous signal is still pending
			}
		}
	}()
	return changes
}

// leftovers returns the files of releases in the cache.
func leftovers(t *testing.T, cache string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(filepath.Join(cache, "crates"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
