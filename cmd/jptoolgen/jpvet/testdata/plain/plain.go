// Package plain returns errors without codes.
package plain

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"

	"example.com/m/plain/store"

	"golang.org/x/sync/errgroup"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// Server is the server of this package.
//
//jp:server clients=mcp
type Server struct {
	db  *sql.DB
	any interface{ Get() error }
}

// Input holds a text.
type Input struct {
	// Text is any text.
	Text string `json:"text"`
}

// Direct creates errors.
//
//jp:tool
func (s *Server) Direct(ctx context.Context, in Input) (int, error) {
	if in.Text == "" {
		return 0, errors.New("no text") // want `JP720: tool direct returns an error without a code \(from errors.New\), so callers get the code "internal"; use fault.New or fault.Wrap`
	}
	n, err := strconv.Atoi(in.Text) // want `JP720: tool direct returns an error without a code \(from strconv.Atoi\)`
	if err != nil {
		return 0, fmt.Errorf("text: %w", err)
	}
	if n > 10 {
		return 0, fmt.Errorf("%d is too large", n) // want `JP720: tool direct returns an error without a code \(from fmt.Errorf\)`
	}
	return n, nil
}

// Helped gets errors from helpers.
//
//jp:tool
func (s *Server) Helped(ctx context.Context, in Input) error {
	if err := s.load(ctx); err != nil {
		return err
	}
	if _, err := store.Find(in.Text); err != nil { // want `JP720: tool helped returns an error without a code \(from store.Find\)`
		return err
	}
	if in.Text == "x" {
		return store.ErrGone // want `JP720: tool helped returns an error without a code \(from ErrGone\)`
	}
	if in.Text == "y" {
		return &badText{in.Text} // want `JP720: tool helped returns an error without a code \(from \*plain.badText\)`
	}
	return sql.ErrNoRows // want `JP720: tool helped returns an error without a code \(from sql.ErrNoRows\)`
}

func (s *Server) load(ctx context.Context) error {
	var n int
	return s.db.QueryRowContext(ctx, "SELECT 1").Scan(&n) // want `JP720: tool helped returns an error without a code \(from sql.Row.Scan\)`
}

// Shared uses the same helper.
//
//jp:tool
func (s *Server) Shared(ctx context.Context) error { return s.load(ctx) }

type badText struct{ text string }

func (e *badText) Error() string { return "bad " + e.text }

// Recoded loses a code.
//
//jp:tool
func (s *Server) Recoded(ctx context.Context) error {
	if err := fault.New(fault.InvalidInput, "no"); err.Message != "" {
		return fmt.Errorf("failed: %v", err) // want `JP720: tool recoded returns an error without a code \(from fmt.Errorf\)`
	}
	return nil
}

// The following code has no findings.

// Files returns errors of file operations.
//
//jp:tool
func (s *Server) Files(ctx context.Context, call *tool.Call) error {
	f, err := os.Open("x")
	if err != nil {
		return fmt.Errorf("opening: %w", err)
	}
	if err := f.Close(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	files, err := call.Files()
	if err != nil {
		return err
	}
	_, err = files.ReadFile("x")
	return err
}

// Wrapped gives errors a code.
//
//jp:tool
//jp:fails unavailable not_found
func (s *Server) Wrapped(ctx context.Context, in Input) (any, error) {
	answer, err := http.Get("https://example.com")
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "no answer")
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, failed(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, coded(err)
	}
	_, err = store.Find(in.Text)
	if errors.Is(err, store.ErrGone) {
		return nil, fault.New(fault.NotFound, "no %s", in.Text)
	}
	return v, err
}

func coded(err error) error { return fault.Wrap(err, fault.Unavailable, "no") }

// failed wraps known errors with a code, and returns others unchanged.
func failed(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.Wrap(err, fault.Unavailable, "no")
	}
	return err
}

// Later wraps its error in a deferred function.
//
//jp:tool
//jp:fails unavailable
func (s *Server) Later(ctx context.Context, in Input) (err error) {
	defer func() {
		if err != nil {
			err = fault.Wrap(err, fault.Unavailable, "no")
		}
	}()
	_, err = store.Find(in.Text)
	return err
}

// Unknown returns an error that cannot be followed.
//
//jp:tool
func (s *Server) Unknown(ctx context.Context) error {
	group, _ := errgroup.WithContext(ctx)
	group.Go(func() error { return fault.New(fault.InvalidInput, "no") })
	if err := group.Wait(); err != nil {
		return err
	}
	return s.any.Get()
}

// Encoded uses the results of calls whose errors have a code.
//
//jp:tool
//jp:fails unavailable
func (s *Server) Encoded(ctx context.Context, in Input) error {
	text, err := json.Marshal(in)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "cannot encode")
	}
	n, err := strconv.Atoi(in.Text)
	if err != nil {
		return fault.Wrap(err, fault.InvalidInput, "not a number")
	}
	if err := os.WriteFile("x", text, 0o600); err != nil {
		return fmt.Errorf("file %d: %w", n, err)
	}
	_, err = os.Stderr.Write(text)
	return err
}

// Kept does not return its errors.
//
//jp:tool
func (s *Server) Kept(ctx context.Context, in Input) (string, error) {
	if _, err := store.Find(in.Text); err != nil {
		return err.Error(), nil
	}
	return "", nil
}

// Computed converts strings to codes.
//
//jp:tool
func (s *Server) Computed(ctx context.Context, in Input) error {
	code := fault.Code(in.Text) // want `JP721: the error code is computed at run time, so //jp:fails cannot list it; declare a constant of type fault.Code for each code`
	if in.Text == "" {
		return fault.New(code, "no")
	}
	return &fault.Error{Code: fault.Code("http_" + in.Text), Message: "no"} // want `JP721: `
}

var known = map[fault.Code]string{fault.NotFound: "gone"}

// Looked compares codes.
//
//jp:tool
func (s *Server) Looked(ctx context.Context, in Input) (string, error) {
	if fault.Code(in.Text) == fault.NotFound || fault.Code(in.Text).IsBase() {
		return known[fault.Code(in.Text)], nil
	}
	return string(fault.Code(in.Text)), nil
}
