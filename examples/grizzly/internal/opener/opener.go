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

// Failure is the reason why Bear could not be asked. The constants are all possible values; errors from this
// package match them with [errors.Is].
type Failure string

const (
	// ErrPlatform means that no program is configured and that this system has no default program.
	ErrPlatform Failure = "cannot create notes: no program to open Bear's URLs is set; start grizzly with --opener PROGRAM"
	// ErrNoProgram means that the program does not exist or is not executable.
	ErrNoProgram Failure = "the program that passes the note to Bear could not be started"
	// ErrRefused means that the program failed, for example because Bear is not installed.
	ErrRefused Failure = "Bear did not accept the note; check that Bear is installed"
	// ErrTimeout means that the program did not end in time. The note may or may not have been created.
	ErrTimeout Failure = "Bear did not respond in time; the note may have been created"
)

// Error returns the text.
func (f Failure) Error() string { return string(f) }

// Transient reports whether the same call may succeed later.
func (f Failure) Transient() bool { return f == ErrTimeout }

// A causedFailure is a failure and its cause, which is not part of the text.
type causedFailure struct {
	Failure
	cause error
}

func (c *causedFailure) Unwrap() []error { return []error{c.Failure, c.cause} }

// defaultTimeout is the time limit for the program, which only passes on the URL.
const defaultTimeout = 10 * time.Second

// Opener passes notes to Bear by running a program with the URL as its only argument. It uses no shell, gives
// the program no input, and ignores its output. The zero Opener runs the open command of macOS.
type Opener struct {
	// Program is the name or path of the program. If it is empty, "open" is used on macOS, and Create returns
	// ErrPlatform elsewhere.
	Program string
	// Timeout limits how long the program may run. Zero means 10 seconds.
	Timeout time.Duration
}

// Create asks Bear to create the note. If it returns nil, Bear was asked, but the note may not exist yet. For an
// invalid draft, Create returns [*InvalidError]s and does not run the program. Other errors are a [Failure] or
// the error from ctx.
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
	cmd.WaitDelay = time.Second // a child process may outlive the program
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
		return invalid("content", "too long after encoding: this system accepts only shorter notes")
	case errors.As(err, &exit):
		return &causedFailure{ErrRefused, fmt.Errorf("exit status %d", exit.ExitCode())}
	}
	return &causedFailure{ErrNoProgram, withoutArguments(err)}
}

// Ready returns ErrPlatform if there is no program to run, and nil otherwise. It does not check that the program
// exists, because it may be installed later.
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

// withoutArguments removes the command line from an error, because the command line contains the note.
func withoutArguments(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
