package fault_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jptool/jptool/sdk/fault"
)

func TestFromCodesEveryError(t *testing.T) {
	notFound := fault.New(fault.NotFound, "no note %q", "A1")
	for _, tc := range []struct {
		name string
		err  error
		want fault.Code
	}{
		{"uncoded", errors.New("disk on fire"), fault.Internal},
		{"coded", notFound, fault.NotFound},
		{"wrapped", fmt.Errorf("get: %w", notFound), fault.NotFound},
		{"canceled", fmt.Errorf("query: %w", context.Canceled), fault.Canceled},
		{"deadline", context.DeadlineExceeded, fault.Timeout},
		{"misspelled code", &fault.Error{Code: "No Such", Message: "x"}, fault.Internal},
		{"own code", &fault.Error{Code: "rate_limited", Message: "x"}, "rate_limited"},
		{"nil", nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := fault.CodeOf(tc.err); got != tc.want {
				t.Errorf("CodeOf(%v) = %q, want %q", tc.err, got, tc.want)
			}
		})
	}
}

func TestCodeText(t *testing.T) {
	for _, bad := range []string{"", "Not_Found", "9lives", "a-b", "a b", strings.Repeat("x", 41), "é"} {
		code := fault.Code("keep")
		if err := code.UnmarshalText([]byte(bad)); err == nil || code != "keep" {
			t.Errorf("UnmarshalText(%q) = %v and set %q, want an error", bad, err, code)
		}
	}
	for _, code := range fault.Base() {
		if !code.Valid() || !code.IsBase() {
			t.Errorf("base code %q is not valid or not base", code)
		}
	}
	if fault.Code("rate_limited").IsBase() {
		t.Error("IsBase reports a code that the server declares")
	}
}

func TestPromisesOfACode(t *testing.T) {
	if e := fault.New(fault.Unavailable, "x"); !e.Transient || e.Recoverable {
		t.Errorf("unavailable: transient %t, recoverable %t", e.Transient, e.Recoverable)
	}
	if e := fault.New(fault.InvalidInput, "x"); e.Transient || !e.Recoverable {
		t.Errorf("invalid_input: transient %t, recoverable %t", e.Transient, e.Recoverable)
	}
}

func TestTrace(t *testing.T) {
	root := errors.New("connection refused")
	e := fault.Wrap(fmt.Errorf("dial: %w", root), fault.Unavailable, "the index cannot be reached")
	if want := []string{"dial: connection refused", "connection refused"}; !slices.Equal(e.Trace(), want) {
		t.Errorf("Trace() = %q, want %q", e.Trace(), want)
	}
	if trace := fault.Wrap(root, fault.Unavailable, "%s", root).Trace(); len(trace) != 0 {
		t.Errorf("the trace repeats the message: %q", trace)
	}
	if trace := fault.New(fault.Conflict, "x").Trace(); trace == nil || len(trace) != 0 {
		t.Errorf("trace without a cause = %#v, want an empty list", trace)
	}
	if !errors.Is(e, root) || !errors.Is(e, &fault.Error{Code: fault.Unavailable}) {
		t.Error("errors.Is does not find the error by its cause and by its code")
	}
}

// An endless error wraps itself and, if it has a code, an error with that code.
type endless struct{ code fault.Code }

func (endless) Error() string { return "endless" }

func (e endless) Unwrap() []error {
	if e.code == "" {
		return []error{e}
	}
	return []error{fault.Wrap(e, e.code, "coded"), e}
}

// Every function ends, and so does package errors for what From returns.
func TestEndlessErrors(t *testing.T) {
	for _, tc := range []struct {
		err     error
		code    fault.Code
		message string
		trace   []string
	}{
		{endless{}, fault.Internal, "endless", []string{}},
		{endless{fault.Conflict}, fault.Conflict, "coded", []string{"endless"}},
		{fault.Wrap(endless{}, fault.Conflict, "wrapped"), fault.Conflict, "wrapped", []string{"endless"}},
		{fmt.Errorf("x: %w", endless{}), fault.Internal, "x: endless", []string{}},
		{fault.Wrap(endless{}, "No Such", "wrong code"), fault.Internal, "wrong code", []string{"No Such: wrong code"}},
	} {
		f := fault.From(tc.err)
		if f.Code != tc.code || f.Message != tc.message || fault.CodeOf(tc.err) != tc.code || !slices.Equal(f.Trace(), tc.trace) {
			t.Errorf("From(%v) = %v, with the trace %q; want %s: %s, %q", tc.err, f, f.Trace(), tc.code, tc.message, tc.trace)
		}
		if errors.Is(f, context.Canceled) {
			t.Errorf("%v is another error", tc.err)
		}
	}
}

// long returns an error that wraps n errors, each with its own text of the given size.
func long(n, size int) error {
	err := errors.New("root")
	for i := range n {
		err = &numbered{strconv.Itoa(i) + strings.Repeat("é", size/2), err}
	}
	return err
}

type numbered struct {
	text  string
	cause error
}

func (n *numbered) Error() string { return n.text }
func (n *numbered) Unwrap() error { return n.cause }

func TestTraceIsBounded(t *testing.T) {
	trace := fault.Wrap(long(1000, 10_000), fault.Conflict, "x").Trace()
	if len(trace) != 21 || trace[20] != "…" {
		t.Errorf("%d texts, the last is %.20q", len(trace), trace[len(trace)-1])
	}
	for _, text := range trace[:20] {
		if len(text) > 2010 || !utf8.ValidString(text) || !strings.HasSuffix(text, "é…") {
			t.Errorf("a text of %d bytes: %.10q", len(text), text)
		}
	}
	if trace := fault.Wrap(long(19, 0), fault.Conflict, "x").Trace(); len(trace) != 20 || trace[19] != "root" {
		t.Errorf("%q", trace)
	}
}

func ExampleWrap() {
	cause := errors.New("connection refused")
	err := fault.Wrap(cause, fault.Unavailable, "the notes cannot be reached")
	fmt.Println(err)
	fmt.Println(err.Transient, errors.Is(err, cause))
	// Output:
	// unavailable: the notes cannot be reached
	// true true
}
