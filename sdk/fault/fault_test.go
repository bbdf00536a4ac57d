package fault_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

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

func ExampleWrap() {
	cause := errors.New("connection refused")
	err := fault.Wrap(cause, fault.Unavailable, "the notes cannot be reached")
	fmt.Println(err)
	fmt.Println(err.Transient, errors.Is(err, cause))
	// Output:
	// unavailable: the notes cannot be reached
	// true true
}
