package access

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/jptool/jptool/sdk/fault"
)

// A reason distinguishes errors with the same code. Callers receive it as Details["reason"].
type reason string

const (
	absolute     reason = "absolute"
	above        reason = "above_root"
	malformed    reason = "malformed"
	denied       reason = "denied"
	escape       reason = "escape"
	link         reason = "link"
	unreadable   reason = "unreadable"
	missing      reason = "missing"
	dangling     reason = "dangling_link"
	loop         reason = "link_loop"
	notDirectory reason = "not_a_directory"
	isDirectory  reason = "a_directory"
	special      reason = "special_file"
	tooLarge     reason = "too_large"
	exists       reason = "exists"
	changed      reason = "changed"
	elsewhere    reason = "other_file_system"
	misplaced    reason = "misplaced"
	ruled        reason = "rules_below"
	failed       reason = "system"
)

// meanings holds the code and message of each reason, and the error that errors.Is matches.
var meanings = map[reason]struct {
	code  fault.Code
	text  string
	cause error
}{
	absolute:     {fault.InvalidInput, "%s is absolute; write a path relative to the root, such as %s", fs.ErrInvalid},
	above:        {fault.InvalidInput, "%s leads above the root; write a path inside it, such as %s", fs.ErrInvalid},
	malformed:    {fault.InvalidInput, "invalid path %s: must be UTF-8 without NUL, and not too long", fs.ErrInvalid},
	escape:       {fault.PermissionDenied, "%s leads out of the root through a symbolic link", fs.ErrPermission},
	link:         {fault.PermissionDenied, "%s is a symbolic link; to change the file it points to, give the path of that file", fs.ErrPermission},
	unreadable:   {fault.PermissionDenied, "%s cannot be accessed: the operating system denies access", fs.ErrPermission},
	missing:      {fault.NotFound, "%s does not exist", fs.ErrNotExist},
	dangling:     {fault.NotFound, "%s is or contains a symbolic link to a path that does not exist", fs.ErrNotExist},
	loop:         {fault.InvalidInput, "%s leads through too many symbolic links", fs.ErrInvalid},
	notDirectory: {fault.InvalidInput, "%s is not a directory, or lies below a file", fs.ErrInvalid},
	isDirectory:  {fault.InvalidInput, "%s is a directory; write the path of a file", fs.ErrInvalid},
	special:      {fault.InvalidInput, "%s is neither a file nor a directory", fs.ErrInvalid},
	tooLarge:     {fault.InvalidInput, "%s is too large to read at once", fs.ErrInvalid},
	exists:       {fault.Conflict, "%s already exists, or is not empty", fs.ErrExist},
	elsewhere:    {fault.InvalidInput, "%s cannot be moved to another file system", fs.ErrInvalid},
	misplaced:    {fault.InvalidInput, "%s is the root itself, or would be moved into itself", fs.ErrInvalid},
	ruled:        {fault.PermissionDenied, "%s contains paths with their own access rules, so it cannot be moved as a whole", fs.ErrPermission},
	failed:       {fault.Unavailable, "%s cannot be accessed: the operating system reports an error", fs.ErrInvalid},
	changed:      {fault.Conflict, "%s keeps changing while it is opened", fs.ErrInvalid},
}

// refuse returns the error for a path. It shows the path as it was given: the resolved path may lie outside
// the root, and the caller must not learn it.
func refuse(why reason, path string) *fault.Error {
	s := meanings[why]
	args := []any{quote(path)}
	if why == absolute || why == above {
		name := path[strings.LastIndexAny(path, `/\`)+1:]
		args = append(args, quote(orDot(strings.TrimPrefix(name, ".."))))
	}
	e := fault.Wrap(s.cause, s.code, s.text, args...)
	e.Details = map[string]any{"reason": string(why), "path": show(path)}
	return e
}

// deny returns the error for a capability that the policy does not grant on key.
func (p *Policy) deny(c Capability, key string) *fault.Error {
	grants := p.GrantingPaths(c)
	where := "is not granted on any path"
	if len(grants) > 0 {
		where = "is granted only below " + show(strings.Join(grants, ", "))
	}
	e := fault.Wrap(fs.ErrPermission, fault.PermissionDenied, "access denied: %s on %s is not granted; it %s", c, quote(orDot(key)), where)
	e.Details = map[string]any{"reason": string(denied), "path": show(orDot(key)), "capability": string(c), "grants": grants}
	if i := p.rule(key); i >= 0 {
		e.Details["rule"] = orDot(p.FS[i].Path)
	}
	return e
}

// system returns the fault for an error of the operating system about path. The error's own text contains
// absolute paths, which callers must not see.
func system(err error, path string) error {
	if coded, ok := errors.AsType[*fault.Error](err); ok {
		return coded
	}
	if errors.Is(err, fs.ErrClosed) {
		return fault.Wrap(fs.ErrClosed, fault.Internal, "the call has ended; its files can no longer be used")
	}
	for why, is := range map[reason]error{missing: fs.ErrNotExist, exists: fs.ErrExist, unreadable: fs.ErrPermission, notDirectory: syscall.ENOTDIR, malformed: syscall.ENAMETOOLONG, elsewhere: syscall.EXDEV} {
		if errors.Is(err, is) {
			return refuse(why, path)
		}
	}
	e := fault.Wrap(bare(err), fault.Unavailable, "%s: %s", quote(path), bare(err))
	e.Details = map[string]any{"reason": string(failed), "path": show(path)}
	return e
}

// bare returns the error inside the wrappers that add paths to it.
func bare(err error) error {
	for {
		switch e := err.(type) {
		case *fs.PathError:
			err = e.Err
		case *os.LinkError:
			err = e.Err
		case *os.SyscallError:
			err = e.Err
		default:
			return err
		}
	}
}

func quote(path string) string { return fmt.Sprintf("%q", show(path)) }

// show shortens path and replaces invalid UTF-8, so that any message can contain it.
func show(path string) string {
	const most = 200
	if len(path) > most {
		path = path[:most] + "…"
	}
	return strings.ToValidUTF8(path, "�")
}
