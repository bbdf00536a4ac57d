package opener

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Failure says why Bear could not be asked. The constants are the whole set; each
// is an error that [errors.Is] finds in what this package returns.
type Failure string

const (
	// ErrPlatform: no program was named, and this system has none for the purpose.
	ErrPlatform Failure = "notes can be created on macOS only, where Bear runs"
	// ErrNoProgram: the program is not there or may not be run.
	ErrNoProgram Failure = "the program that hands the note to Bear could not be started"
	// ErrRefused: the program ran and reported failure, as it does when Bear is not installed.
	ErrRefused Failure = "Bear did not take the note: it may not be installed"
	// ErrTimeout: the program did not end in time. The note may or may not have been created.
	ErrTimeout Failure = "Bear did not answer in time: the note may still have been created"
)

// Error implements error.
func (f Failure) Error() string { return string(f) }

// Transient reports whether the same call may succeed later.
func (f Failure) Transient() bool { return f == ErrTimeout }

// caused is a failure with what lay beneath it, which stays out of the text.
type caused struct {
	Failure
	cause error
}

func (c *caused) Unwrap() []error { return []error{c.Failure, c.cause} }

// defaultTimeout is how long the program may take: it only hands the address over.
const defaultTimeout = 10 * time.Second

// Opener hands notes to Bear by running a program with their address as its only
// argument: no shell, no input, and no use for what it prints. The zero Opener
// runs macOS's open.
type Opener struct {
	// Program is the name or path of the program. When it is empty, that is "open"
	// on macOS, and every Create elsewhere is ErrPlatform.
	Program string
	// Timeout is how long the program may run, 10 seconds when zero.
	Timeout time.Duration
}

// Create asks Bear to create the note. That the program succeeded means that Bear
// was asked, not that the note is there. An invalid draft is refused before
// anything runs, with [*InvalidError]s; the other errors are a [Failure] or that of ctx.
func (o Opener) Create(ctx context.Context, d Draft) error {
	if err := d.Validate(); err != nil {
		return err
	}
	program, err := o.program(runtime.GOOS)
	if err != nil {
		return err
	}
	timeout := o.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, program, d.URL())
	cmd.WaitDelay = time.Second // for a child of the program that outlives it
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return ErrTimeout
	case errors.Is(err, syscall.E2BIG):
		return invalid("content", "too long once it is encoded: this system takes shorter notes only")
	case errors.As(err, &exit):
		return &caused{ErrRefused, fmt.Errorf("exit status %d", exit.ExitCode())}
	}
	return &caused{ErrNoProgram, withoutArguments(err)}
}

// Ready reports whether there is a program to run: the error is ErrPlatform or nil.
// It does not look for the program, which may be there by the time it is needed.
func (o Opener) Ready() error {
	_, err := o.program(runtime.GOOS)
	return err
}

func (o Opener) program(goos string) (string, error) {
	switch {
	case o.Program != "":
		return o.Program, nil
	case goos == "darwin":
		return "open", nil
	}
	return "", ErrPlatform
}

// withoutArguments keeps the reason of an error and drops the command line, which is the note.
func withoutArguments(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
