package access

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/jptool/jptool/sdk/fault"
)

// A reason distinguishes errors with the same code. Callers receive its name as Details["reason"].
type reason struct {
	name  string
	code  fault.Code
	text  string
	cause error // matched by errors.Is
}

var (
	absolute     = &reason{"absolute", fault.InvalidInput, "%s is an absolute path; use a path relative to the root directory, such as %s", fs.ErrInvalid}
	above        = &reason{"above_root", fault.InvalidInput, "%s is above the root directory; use a path inside it, such as %s", fs.ErrInvalid}
	malformed    = &reason{"malformed", fault.InvalidInput, "invalid path %s: must be valid UTF-8 without NUL bytes, and not too long", fs.ErrInvalid}
	escape       = &reason{"escape", fault.PermissionDenied, "%s escapes from the root directory through a symbolic link", fs.ErrPermission}
	link         = &reason{"link", fault.PermissionDenied, "%s is a symbolic link; to change the file it points to, use the path of that file", fs.ErrPermission}
	unreadable   = &reason{"unreadable", fault.PermissionDenied, "%s cannot be accessed: the operating system denies access", fs.ErrPermission}
	missing      = &reason{"missing", fault.NotFound, "%s does not exist", fs.ErrNotExist}
	dangling     = &reason{"dangling_link", fault.NotFound, "%s is or contains a symbolic link to a path that does not exist", fs.ErrNotExist}
	loop         = &reason{"link_loop", fault.InvalidInput, "%s contains too many symbolic links", fs.ErrInvalid}
	notDirectory = &reason{"not_a_directory", fault.InvalidInput, "%s is not a directory, or one of its parents is not a directory", fs.ErrInvalid}
	isDirectory  = &reason{"a_directory", fault.InvalidInput, "%s is a directory; use the path of a file", fs.ErrInvalid}
	special      = &reason{"special_file", fault.InvalidInput, "%s is neither a file nor a directory", fs.ErrInvalid}
	tooLarge     = &reason{"too_large", fault.InvalidInput, "%s is too large to read into memory", fs.ErrInvalid}
	exists       = &reason{"exists", fault.Conflict, "%s already exists, or is a non-empty directory", fs.ErrExist}
	elsewhere    = &reason{"other_file_system", fault.InvalidInput, "%s cannot be moved to another file system", fs.ErrInvalid}
	misplaced    = &reason{"misplaced", fault.InvalidInput, "%s is the root directory itself, or would be moved into itself", fs.ErrInvalid}
	ruled        = &reason{"rules_below", fault.PermissionDenied, "%s contains paths with their own access rules, so it cannot be moved", fs.ErrPermission}
	failed       = &reason{"system", fault.Unavailable, "%s cannot be accessed: the operating system reports an error", fs.ErrInvalid}
	changed      = &reason{"changed", fault.Conflict, "%s kept changing while it was being opened", fs.ErrInvalid}
)

// denied is the name of the reason for a path, URL or variable that the policy does not grant.
const denied = "denied"

// refuse returns the error for a path. path is the path as it was given: the caller must not learn the
// resolved path, which may lie outside the root.
func refuse(why *reason, path string) *fault.Error {
	args := []any{quote(path)}
	if why == absolute || why == above {
		name := path[strings.LastIndexAny(path, `/\`)+1:]
		args = append(args, quote(cmp.Or(strings.TrimPrefix(name, ".."), ".")))
	}
	e := fault.Wrap(why.cause, why.code, why.text, args...)
	e.Details = map[string]any{"reason": why.name, "path": show(path)}
	return e
}

// deny returns the error for a capability that the policy does not grant on key.
func (p *Policy) deny(c Capability, key string) *fault.Error {
	grants := p.GrantingPaths(c)
	where := "is not granted on any path"
	if len(grants) > 0 {
		where = "is granted only below " + show(strings.Join(grants, ", "))
	}
	i, granted := p.decide(c, key)
	if i >= 0 && !granted {
		own := segments(p.FS[i].Path)
		if slices.ContainsFunc(grants, func(g string) bool { return hasPrefix(own, segments(g), false) }) {
			where += ", and not below " + show(p.FS[i].Path)
		}
	}
	e := fault.Wrap(fs.ErrPermission, fault.PermissionDenied, "access denied: %s on %s is not granted; it %s", c, quote(cmp.Or(key, ".")), where)
	e.Details = map[string]any{"reason": denied, "path": show(cmp.Or(key, ".")), "capability": string(c), "grants": grants}
	if i >= 0 {
		e.Details["rule"] = cmp.Or(p.FS[i].Path, ".")
	}
	return e
}

// systemError converts an operating system error about path to a fault, and nil to nil. The fault does
// not contain the error's text, because the absolute paths in it must not reach callers.
func systemError(err error, path string) error {
	if err == nil {
		return nil
	}
	if coded, ok := errors.AsType[*fault.Error](err); ok {
		return coded
	}
	if errors.Is(err, fs.ErrClosed) {
		return fault.Wrap(fs.ErrClosed, fault.Internal, "the call has ended; its files can no longer be used")
	}
	if why := reasonOf(err); why != failed {
		return refuse(why, path)
	}
	e := fault.Wrap(unwrapPaths(err), fault.Unavailable, "%s: %s", quote(path), unwrapPaths(err))
	e.Details = map[string]any{"reason": failed.name, "path": show(path)}
	return e
}

func reasonOf(err error) *reason {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missing
	case errors.Is(err, fs.ErrExist):
		return exists
	case errors.Is(err, fs.ErrPermission):
		return unreadable
	case errors.Is(err, syscall.ENOTDIR):
		return notDirectory
	case errors.Is(err, syscall.ELOOP):
		return loop
	case errors.Is(err, syscall.ENAMETOOLONG):
		return malformed
	case errors.Is(err, syscall.EXDEV):
		return elsewhere
	}
	return failed
}

// unwrapPaths returns the error inside the wrappers that add paths to it.
func unwrapPaths(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err
}

func quote(path string) string { return fmt.Sprintf("%q", show(path)) }

// show shortens path and replaces invalid UTF-8, so that any message can contain it.
func show(path string) string {
	const limit = 200
	if len(path) > limit {
		path = path[:limit] + "…"
	}
	return strings.ToValidUTF8(path, "�")
}
