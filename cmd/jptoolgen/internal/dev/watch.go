package dev

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long the source must have been left alone: editors write several files.
const settle = 150 * time.Millisecond

// Watch tells of changes to the Go source below dir until ctx ends. What jptoolgen and
// the go command write themselves does not count, nor do tests, hidden directories, and
// those called testdata, vendor and node_modules.
func Watch(ctx context.Context, dir string, log *slog.Logger) (<-chan struct{}, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching the source: %w", err)
	}
	dirs := map[string]bool{}
	if _, err := watch(w, dirs, dir); err != nil {
		_ = w.Close() // is not used
		return nil, fmt.Errorf("watching the source: %w", err)
	}
	changed := make(chan struct{}, 1)
	go func() {
		defer func() { _ = w.Close() }() // nobody is left to tell
		timer := time.NewTimer(time.Hour)
		timer.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case err := <-w.Errors:
				log.Warn("watching the source", "error", err)
			case e := <-w.Events:
				change := counts(e)
				if (e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)) && dirs[e.Name] {
					delete(dirs, e.Name)
					change = true // its files went with it, and are not told of
				}
				if e.Has(fsnotify.Create) && !skipped(filepath.Base(e.Name)) {
					source, err := watch(w, dirs, e.Name)
					if err != nil {
						log.Warn("watching the source", "error", err)
					}
					change = change || source
				}
				if change {
					timer.Reset(settle)
				}
			case <-timer.C:
				select {
				case changed <- struct{}{}:
				default: // the change before has not been seen yet
				}
			}
		}
	}()
	return changed, nil
}

// counts reports whether an event is a change of the source.
func counts(e fsnotify.Event) bool {
	return e.Op != fsnotify.Chmod && isSource(filepath.Base(e.Name))
}

// isSource reports whether a file of that name is part of what is built.
func isSource(name string) bool {
	if name == "go.mod" {
		return true
	}
	return strings.HasSuffix(name, ".go") && name != "jp_gen.go" && !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, ".")
}

// watch watches a directory and those in it, and notes them in dirs. It reports whether there is source in
// them: what was there before they were watched is not told of in any other way.
func watch(w *fsnotify.Watcher, dirs map[string]bool, dir string) (source bool, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // gone again
		case !d.IsDir():
			source = source || isSource(d.Name())
			return nil
		case path != dir && skipped(d.Name()):
			return filepath.SkipDir
		}
		dirs[path] = true
		return w.Add(path)
	})
	return source, err
}

// skipped reports whether a directory of that name has no source.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || name == "testdata" || name == "vendor" || name == "node_modules"
}
