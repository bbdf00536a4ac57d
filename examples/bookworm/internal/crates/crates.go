// Package crates serves documentation for Rust crates to language models.
package crates

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/jptool/jptool/examples/bookworm/internal/archive"
	"github.com/jptool/jptool/examples/bookworm/internal/cache"
	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/docsrs"
	"github.com/jptool/jptool/examples/bookworm/internal/fetch"
	"github.com/jptool/jptool/examples/bookworm/internal/library"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
	"github.com/jptool/jptool/sdk/fault"
)

//go:generate go tool jptoolgen

// Access the types, documentation and sources of Rust crates.
//
//jp:server name=bookworm list-budget=685
type Crates struct {
	// Library provides crates and their documentation.
	Library *library.Library
}

// faultOf converts a library error to a fault. Only temporary errors are transient. The cause is only logged.
func faultOf(err error) error {
	var (
		coded   *fault.Error
		unknown *library.UnknownCrateError
		missing *library.MissingVersionError
		disk    *cache.DiskError
		larger  *docsrs.LargerError
		bad     *archive.BadError
		refused *fetch.RefusedError
		status  *fetch.StatusError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &coded), errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, crateuri.ErrURI):
		return fault.New(fault.InvalidInput, "%s", err)
	case errors.As(err, &unknown):
		if slices.Contains([]string{"std", "core", "alloc", "proc_macro"}, unknown.Name) {
			return fault.New(fault.NotFound, "%[1]s is part of the standard library, which is not on crates.io; see https://doc.rust-lang.org/%[1]s/", unknown.Name)
		}
		f := fault.New(fault.NotFound, "%s; use crates_search with query %q", unknown, words(unknown.Name))
		if len(unknown.Found) > 0 {
			f.Message = fmt.Sprintf("%s; a search returned %s", unknown, strings.Join(unknown.Found, ", "))
		}
		if len(unknown.Similar) > 0 {
			f.Details = map[string]any{"similar": unknown.Similar}
		}
		return f
	case errors.As(err, &missing):
		return fault.New(fault.NotFound, "%s", missing)
	case errors.Is(err, docsrs.ErrNotFound), errors.Is(err, registry.ErrNotFound), errors.Is(err, rustdoc.ErrNotFound):
		return fault.New(fault.NotFound, "%s", err)
	case errors.Is(err, registry.ErrOffline):
		return permanentFault("%s", err)
	case errors.As(err, &disk):
		slog.Error("cache unusable", "error", err)
		return permanentFault("%s", disk)
	case errors.As(err, &larger):
		return permanentFault("%s; the limit is %d bytes", larger, docsrs.MaxArchive)
	case errors.As(err, &bad):
		slog.Warn("archive rejected", "error", err, "cause", bad.Err)
		return permanentFault("the documentation for this version on docs.rs cannot be used: %s", bad.Reason)
	case fetch.TimedOut(err), errors.Is(err, fetch.ErrStalled):
		slog.Warn("request timed out", "error", err)
		return fault.New(fault.Timeout, "crates.io or docs.rs did not respond in time")
	case errors.As(err, &refused):
		slog.Warn("request rejected", "error", err, "cause", refused.Err)
		return permanentFault("crates.io or docs.rs cannot be used: %s", refused)
	case errors.As(err, &status):
		f := permanentFault("%s", status)
		f.Transient = fetch.Transient(err)
		return f
	case fetch.Transient(err):
		slog.Warn("connection failed", "error", err)
		return fault.New(fault.Unavailable, "crates.io or docs.rs is unreachable")
	}
	slog.Error("cache unusable", "error", err)
	return permanentFault("the cache cannot be used; see the log for the reason")
}

// words returns the name of a crate as words to search for.
func words(name string) string { return strings.NewReplacer("-", " ", "_", " ").Replace(name) }

// permanentFault returns a fault for a failure that would also occur if the call were repeated.
func permanentFault(format string, args ...any) *fault.Error {
	f := fault.New(fault.Unavailable, format, args...)
	f.Transient = false
	return f
}

// isBroken reports whether an error means that an archive in the cache must be downloaded again.
func isBroken(err error) bool {
	var bad *archive.BadError
	return errors.As(err, &bad) || errors.Is(err, cache.ErrAbsent)
}
