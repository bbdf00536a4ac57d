// Package fails has tools with declared and undeclared error codes.
package fails

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"example.com/m/fails/bear"

	"golang.org/x/sync/errgroup"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// Overheated means that the kettle has no water.
const Overheated fault.Code = "overheated"

// Server is the server of this package.
//
//jp:server clients=mcp
type Server struct{ source interface{ Get() error } }

// Direct creates its own fault.
//
//jp:tool
func (s *Server) Direct(ctx context.Context) error { // want `JP705: tool direct fails with unavailable, which //jp:fails does not list; write //jp:fails unavailable`
	return fault.New(fault.Unavailable, "no")
}

// want +5 `JP705: tool added fails with not_found, which //jp:fails does not list; add not_found to //jp:fails`

// Added already declares a code.
//
//jp:tool
//jp:fails conflict
func (s *Server) Added(ctx context.Context) error {
	if _, err := bear.Find(""); err != nil {
		return err
	}
	return bear.Lock(ctx, func(context.Context) error { return nil })
}

// Own is a code of the server.
//
//jp:tool
func (s *Server) Own(ctx context.Context) (string, error) { // want `JP705: tool own fails with overheated`
	return "", fmt.Errorf("boiling: %w", &fault.Error{Code: Overheated, Message: "dry"})
}

// Foreign has a code that is not declared here.
//
//jp:tool
func (s *Server) Foreign(ctx context.Context) error { // want `JP705: tool foreign fails with bear_trap.*; declare a constant of type fault.Code`
	return bear.Foreign()
}

// Walked returns the error of a function that it passes to a helper.
//
//jp:tool
func (s *Server) Walked(ctx context.Context) error { // want `JP705: tool walked fails with state`
	return filepath.WalkDir(".", func(string, fs.DirEntry, error) error { return fault.New(fault.State, "no") })
}

// Named has named results and a deferred function.
//
//jp:tool
func (s *Server) Named(ctx context.Context) (err error) { // want `JP705: tool named fails with permission_denied`
	defer func() {
		if err != nil {
			err = fault.Wrap(err, fault.PermissionDenied, "no")
		}
	}()
	return bear.Plain()
}

// Stored returns a variable of another package.
//
//jp:tool
func (s *Server) Stored(ctx context.Context) error { // want `JP705: tool stored fails with not_found`
	return errors.Join(bear.ErrGone, nil)
}

// want +5 `JP706: tool idle does not fail with conflict; delete it from //jp:fails` `JP706: tool idle does not fail with state`

// Idle declares more codes than it uses.
//
//jp:tool
//jp:fails conflict not_found state
func (s *Server) Idle(ctx context.Context) error {
	_, err := bear.Find("")
	return err
}

// Coded passes a code to a helper.
//
//jp:tool
func (s *Server) Coded(ctx context.Context) error { // want `JP705: tool coded fails with state`
	return s.coded(fault.State)
}

func (s *Server) coded(code fault.Code) error { return fault.New(code, "no") }

// Grouped waits for a function that fails.
//
//jp:tool
func (s *Server) Grouped(ctx context.Context) error { // want `JP705: tool grouped fails with unavailable`
	group, _ := errgroup.WithContext(ctx)
	group.Go(func() error { return fault.New(fault.Unavailable, "no") })
	return group.Wait()
}

// want +5 `JP706: tool whole does not fail with conflict`

// Whole never fails.
//
//jp:tool
//jp:fails conflict
func (s *Server) Whole(ctx context.Context) error { return bear.Plain() } // want `JP720: `

// The following code has no findings.

// CodedAway handles the code that it passes to a helper.
//
//jp:tool
func (s *Server) CodedAway(ctx context.Context) error {
	err := s.coded(fault.NotFound)
	if fault.CodeOf(err) == fault.NotFound {
		return nil
	}
	return err
}

// Waited declares the codes of a function that it waits for.
//
//jp:tool
//jp:fails unavailable
func (s *Server) Waited(ctx context.Context) error {
	var group errgroup.Group
	group.Go(func() error { return fault.New(fault.Unavailable, "no") })
	return group.Wait()
}

// Lent waits for a group to which other code adds functions.
//
//jp:tool
//jp:fails unavailable
func (s *Server) Lent(ctx context.Context) error {
	var group errgroup.Group
	s.work(&group)
	return group.Wait()
}

func (s *Server) work(group *errgroup.Group) { group.Go(s.source.Get) }

// Declared declares all codes.
//
//jp:tool
//jp:fails not_found conflict overheated
func (s *Server) Declared(ctx context.Context) error {
	code := fault.NotFound
	if ctx.Err() == nil {
		code = Overheated
	}
	if f := fault.New(code, "no"); f.Message != "" {
		return f
	}
	return bear.Lock(ctx, nil)
}

// Implied fails with codes that need no declaration.
//
//jp:tool
//jp:fails timeout
func (s *Server) Implied(ctx context.Context, ask Questions) error {
	if ok, err := ask.Go.Ask(ctx, "Go?"); err != nil || !ok {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fault.New(fault.InvalidInput, "no")
}

// Questions are the questions of a tool.
type Questions struct {
	// Go asks whether to continue.
	Go elicit.Confirm
}

// Dealt replaces one code with another.
//
//jp:tool
//jp:fails conflict
func (s *Server) Dealt(ctx context.Context) error {
	_, err := bear.Find("")
	if fault.CodeOf(err) == fault.NotFound {
		return fault.New(fault.Conflict, "no")
	}
	return err
}

// Asked handles a code with errors.Is.
//
//jp:tool
func (s *Server) Asked(ctx context.Context) error {
	_, err := bear.Find("")
	if errors.Is(err, &fault.Error{Code: fault.NotFound}) {
		return nil
	}
	return err
}

// Fallback may return the error with which it compares another one.
//
//jp:tool
//jp:fails not_found
func (s *Server) Fallback(ctx context.Context) error {
	_, err := bear.Find("")
	var f *fault.Error
	if errors.As(err, &f) && f.Code == fault.NotFound {
		return f
	}
	return nil
}

// Unknown returns errors that cannot be followed.
//
//jp:tool
//jp:fails unavailable
func (s *Server) Unknown(ctx context.Context) error { return s.source.Get() }

// Made gets its code from another function.
//
//jp:tool
//jp:fails unavailable
func (s *Server) Made(ctx context.Context) error { return bear.Any(fault.Unavailable) }

// Files fails if the user's grants do not include the file.
//
//jp:tool
//jp:fails permission_denied
func (s *Server) Files(ctx context.Context, call *tool.Call) error {
	files, err := call.Files()
	if err != nil {
		return err
	}
	_, err = files.ReadFile("x")
	return err
}

// Opens returns the errors of opening files.
//
//jp:tool
//jp:fails unavailable permission_denied
func (s *Server) Opens(ctx context.Context, call *tool.Call) error {
	_, err := call.Files()
	return err
}

// Quiet creates a fault and does not return it.
//
//jp:tool
func (s *Server) Quiet(ctx context.Context) error {
	_ = fault.New(fault.State, "no").Error()
	return nil
}

// Caused has a fault as the cause of another.
//
//jp:tool
//jp:fails unavailable
func (s *Server) Caused(ctx context.Context) error {
	return fault.Wrap(fault.New(fault.State, "no"), fault.Unavailable, "no")
}

// Mapped gets its codes from a helper, and declares those that the helper can return.
//
//jp:tool
//jp:fails unavailable
func (s *Server) Mapped(ctx context.Context) error { return failed(bear.Plain()) }

func failed(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fault.Wrap(err, fault.PermissionDenied, "no")
	case err != nil:
		return fault.Wrap(err, fault.Unavailable, "no")
	}
	return nil
}

// Typed returns an error of its own type, which wraps another error.
//
//jp:tool
//jp:fails not_found
func (s *Server) Typed(ctx context.Context) error {
	_, err := bear.Find("")
	return hold(err)
}

type held struct{ err error }

func (h *held) Error() string { return "held" }
func (h *held) Unwrap() error { return h.err }

func hold(err error) *held { return &held{err} }

// Retried is passed to a generic helper, as a method value.
//
//jp:tool
//jp:fails not_found
func (s *Server) Retried(ctx context.Context) (string, error) { return retry(ctx, s.find) }

func (s *Server) find(context.Context) (string, error) { return bear.Find("") }

func retry[T any](ctx context.Context, f func(context.Context) (T, error)) (v T, err error) {
	for range 3 {
		if v, err = f(ctx); err == nil {
			break
		}
	}
	return v, err
}

// Table looks up its function in a table.
//
//jp:tool
//jp:fails not_found
func (s *Server) Table(ctx context.Context) error { return table["find"](ctx) }

var table = map[string]func(context.Context) error{
	"find": func(context.Context) error { return bear.ErrGone },
}

// Recoded changes the code of a fault that it receives.
//
//jp:tool
//jp:fails conflict not_found
func (s *Server) Recoded(ctx context.Context) error {
	_, err := bear.Find("")
	f := fault.From(err)
	if f != nil && ctx.Err() != nil {
		f.Code = fault.Conflict
	}
	return f
}
