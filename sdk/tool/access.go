package tool

import (
	"sync"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
)

// Access returns what the user grants the tool, and nil where that was not said: then
// nothing is restricted. Its methods take nil, so that a handler asks it about URLs
// and environment variables in any case. For files there is [Call.Files].
func (c *Call) Access() *access.Policy { return c.request.Access }

// Files returns the files below [Call.Root] that the user grants the tool. It is
// opened at its first use and closed when the handler returns; files that a handler
// opened are its own to close. Return its error.
//
// A call without a root works in the working directory of the server. Where that is
// no place for files, such as the root of the file system or a home, the error is a
// [fault.PermissionDenied] that says how to start the server.
func (c *Call) Files() (*access.FS, error) { return c.files.open(c.request.Root, c.request.Access) }

// A lazyFS is a file system that a call may ask for.
type lazyFS struct {
	mu    sync.Mutex
	fs    *access.FS
	ended bool
}

func (l *lazyFS) open(root string, p *access.Policy) (*access.FS, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return nil, fault.New(fault.Internal, "the files of a call were asked for after its end")
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

// close ends the use of the files, also by what a handler left running. Directories
// that were only read from have nothing to say about being closed.
func (l *lazyFS) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	if l.fs != nil {
		_ = l.fs.Close()
	}
}
