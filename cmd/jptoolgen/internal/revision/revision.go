// Package revision reads files from git revisions.
package revision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/jptool/jptool/internal/peer"
)

const (
	// maxSize is the maximum size of a file in bytes. The contract of a thousand tools is about two megabytes.
	maxSize = 64 << 20
	// timeout is the maximum duration of a git command.
	timeout = 20 * time.Second
)

// A File is a path in a revision.
type File struct {
	// Revision is an expression that git resolves to a commit, such as HEAD~3, v1.2.0 or main@{yesterday}.
	Revision string
	// Path has forward slashes. It is relative to the root of the repository. If it starts with ./, or if the root
	// has no such file, it is relative to the working directory of the command (gitrevisions, <rev>:<path>).
	Path string
}

// Parse splits a word of the form REVISION:PATH. It reports whether the word has this form, which Windows paths
// such as c:\lock.json and URLs do not have.
func Parse(word string) (File, bool) {
	rev, path, ok := strings.Cut(word, ":")
	if !ok || rev == "" || strings.HasPrefix(path, `\`) || strings.HasPrefix(path, "/") {
		return File{}, false
	}
	return File{Revision: rev, Path: path}, true
}

// Read returns the content of the file. It runs git in dir without a shell, does not fetch missing objects, and
// limits time and size. It rejects names that git could interpret as options.
func (f File) Read(ctx context.Context, dir string) ([]byte, error) {
	switch {
	case strings.HasPrefix(f.Revision, "-"):
		return nil, fmt.Errorf("invalid revision %q: must not start with a dash", f.Revision)
	case f.Path == "" || strings.HasSuffix(f.Path, "/"):
		return nil, fmt.Errorf("%q has no file path; use REVISION:PATH, such as HEAD~1:./jp.lock.json", f.Revision+":"+f.Path)
	case strings.ContainsAny(f.Revision+f.Path, "\x00\n\r"):
		return nil, fmt.Errorf("invalid revision %q: must not contain line breaks or NUL characters", f.Revision+":"+f.Path)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "--no-pager", "cat-file", "blob", "--end-of-options", f.Revision+":"+f.Path)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	stdout, stderr, err := peer.Output(cmd, maxSize)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("reading %s:%s requires git, which is not in PATH", f.Revision, f.Path)
	case errors.Is(err, peer.ErrTooMuch):
		return nil, fmt.Errorf("%s:%s is larger than 64 MiB", f.Revision, f.Path)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("git took too long to read %s:%s: %w", f.Revision, f.Path, ctx.Err())
	case err != nil:
		if !strings.HasPrefix(f.Path, ".") {
			if data, err := (File{f.Revision, "./" + f.Path}).Read(ctx, dir); err == nil {
				return data, nil
			}
		}
		return nil, fmt.Errorf("git cannot read %s:%s: %s", f.Revision, f.Path, firstLine(stderr))
	}
	return stdout, nil
}

// firstLine returns the first line of git's error output.
func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return strings.TrimPrefix(strings.TrimSpace(string(line)), "fatal: ")
}
