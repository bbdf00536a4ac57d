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

// settle is the time for which the source must be unchanged before it is built, because editors write several
// files.
const settle = 150 * time.Millisecond

// Watch reports changes to the Go source below dir until ctx is done. It ignores files written by jptoolgen and
// the go command, tests, hidden directories, and directories called testdata, vendor and node_modules.
func Watch(ctx context.Context, dir string, log *slog.Logger) (<-chan struct{}, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching the source: %w", err)
	}
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		dir = target // [filepath.WalkDir] does not follow links
	}
	dirs := map[string]bool{}
	if _, err := watch(w, dirs, dir); err != nil {
		_ = w.Close() // the watcher is no longer used
		return nil, fmt.Errorf("watching the source: %w", err)
	}
	changed := make(chan struct{}, 1)
	go func() {
		defer func() { _ = w.Close() }() // the watcher is no longer used
		timer := time.NewTimer(time.Hour)
		timer.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case err := <-w.Errors:
				log.Warn("cannot watch source", "error", err)
			case e := <-w.Events:
				change := counts(e)
				if (e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)) && dirs[e.Name] {
					delete(dirs, e.Name)
					change = true // the files in the directory are gone too, but cause no events
				}
				if e.Has(fsnotify.Create) && !isSkipped(filepath.Base(e.Name)) {
					source, err := watch(w, dirs, e.Name)
					if err != nil {
						log.Warn("cannot watch source", "error", err)
					}
					change = change || source
				}
				if change {
					timer.Reset(settle)
				}
			case <-timer.C:
				select {
				case changed <- struct{}{}:
				default: // the previous change is still pending
				}
			}
		}
	}()
	return changed, nil
}

// counts reports whether an event is a change to the source.
func counts(e fsnotify.Event) bool {
	return e.Op != fsnotify.Chmod && isSource(filepath.Base(e.Name))
}

// isSource reports whether a file name belongs to the source of a build.
func isSource(name string) bool {
	if name == "go.mod" || strings.HasSuffix(name, ".schema.json") {
		return true
	}
	return strings.HasSuffix(name, ".go") && name != "jp_gen.go" && !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, ".")
}

// watch watches a directory and its subdirectories, and records them in dirs. It reports whether they contain
// source, because files that existed before the watch began do not cause events.
func watch(w *fsnotify.Watcher, dirs map[string]bool, dir string) (source bool, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // the directory has been removed again
		case !d.IsDir():
			source = source || isSource(d.Name())
			return nil
		case path != dir && isSkipped(d.Name()):
			return filepath.SkipDir
		}
		dirs[path] = true
		return w.Add(path)
	})
	return source, err
}

// isSkipped reports whether a directory with this name is not watched.
func isSkipped(name string) bool {
	return strings.HasPrefix(name, ".") || name == "testdata" || name == "vendor" || name == "node_modules"
}
