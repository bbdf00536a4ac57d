// Package revision reads files of git revisions.
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
	// maxSize bounds a file: a contract of a thousand tools has two megabytes.
	maxSize = 64 << 20
	// patience is how long git may take.
	patience = 20 * time.Second
)

// A File is a path in a revision.
type File struct {
	// Revision is what git resolves to a commit: HEAD~3, v1.2.0, main@{yesterday}.
	Revision string
	// Path has forward slashes. It begins at the root of the repository, or with ./
	// at the directory of the command (gitrevisions, <rev>:<path>).
	Path string
}

// Parse splits a word of the form REVISION:PATH. It reports whether the word has
// that form; a path of Windows, such as c:\lock.json, and a URL have not.
func Parse(word string) (File, bool) {
	rev, path, ok := strings.Cut(word, ":")
	if !ok || rev == "" || strings.HasPrefix(path, `\`) || strings.HasPrefix(path, "/") {
		return File{}, false
	}
	return File{Revision: rev, Path: path}, true
}

// Read returns what the file holds, with git run in dir: by its arguments, without
// a shell, without fetching what the repository lacks, within limits of time and
// size. It refuses what git could take for an option.
func (f File) Read(ctx context.Context, dir string) ([]byte, error) {
	switch {
	case strings.HasPrefix(f.Revision, "-"):
		return nil, fmt.Errorf("a revision does not begin with a dash: %q", f.Revision)
	case f.Path == "" || strings.HasSuffix(f.Path, "/"):
		return nil, fmt.Errorf("%q names no file; write REVISION:PATH, such as HEAD~1:./jp.lock.json", f.Revision+":"+f.Path)
	case strings.ContainsAny(f.Revision+f.Path, "\x00\n\r"):
		return nil, fmt.Errorf("a revision and its path are one line: %q", f.Revision+":"+f.Path)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "--no-pager", "cat-file", "blob", "--end-of-options", f.Revision+":"+f.Path)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	stdout, stderr, err := peer.Output(cmd, maxSize)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("reading %s:%s needs git, which is not in the PATH", f.Revision, f.Path)
	case errors.Is(err, peer.ErrTooMuch):
		return nil, fmt.Errorf("%s:%s is larger than 64 MiB", f.Revision, f.Path)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("git took too long to read %s:%s: %w", f.Revision, f.Path, ctx.Err())
	case err != nil:
		return nil, fmt.Errorf("git has no %s:%s: %s", f.Revision, f.Path, said(stderr))
	}
	return stdout, nil
}

// said returns the first line of what git said.
func said(text []byte) string {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return strings.TrimPrefix(strings.TrimSpace(string(line)), "fatal: ")
}
