package tool

import (
	"sync"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
)

// Access returns the access policy that the user granted the tool, or nil if absent,
// which restricts nothing. Its methods accept a nil policy, so handlers can always use it to
// check URLs and environment variables. For files use [Call.Files].
func (c *Call) Access() *access.Policy { return c.request.Access }

// Files returns the files below [Call.Root] that the user granted the tool. It is opened at
// first use and closed when the handler returns. The handler closes the files that it opens.
// Return its error.
//
// A call without a root uses the working directory of the server. If that is not suitable for
// files, such as the file system's root or a home directory, the error is a
// [fault.PermissionDenied] that says how to start the server.
func (c *Call) Files() (*access.FS, error) { return c.files.open(c.request.Root, c.request.Access) }

// lazyFS is a file system that is opened at first use.
type lazyFS struct {
	mu    sync.Mutex
	fs    *access.FS
	ended bool
}

func (l *lazyFS) open(root string, p *access.Policy) (*access.FS, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return nil, fault.New(fault.Internal, "Call.Files was called after the call had ended")
	}
	if l.fs == nil {
		if root == "" {
			var err error
			if root, err = access.WorkingDir(); err != nil {
				return nil, err
			}
		}
		files, err := access.Open(root, p)
		if err != nil {
			return nil, err
		}
		l.fs = files
	}
	return l.fs, nil
}

// close closes the file system, also for goroutines that are still running. Errors of closing
// directories that were only read are ignored.
func (l *lazyFS) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	if l.fs != nil {
		_ = l.fs.Close()
	}
}
