package tool

import (
	"errors"
	"log/slog"
	"reflect"
	"slices"

	"github.com/jptool/jptool/sdk/fault"
)

// border converts the error of a run to the fault that the caller receives, with a code that
// the tool may fail with. Anything that the caller does not receive is logged.
func border(call *Call, declared []fault.Code, err error) *fault.Error {
	received := call.guard(func() error { return judge(call, declared, err) }) // a method of the error may panic
	return call.fitFault(fault.From(received))
}

func judge(call *Call, declared []fault.Code, err error) *fault.Error {
	if v := reflect.ValueOf(err); v.Kind() == reflect.Pointer && v.IsNil() {
		incident := call.incident("tool returned a nil pointer as its error", "type", v.Type().String())
		return fault.New(fault.Internal, "the tool returned a nil %s as its error, which Go does not treat as a nil error; "+
			"see the server's log for incident %s", v.Type(), incident)
	}
	f := fault.From(err)
	raw, coded := errors.AsType[*fault.Error](err)
	code := f.Code
	if coded = coded && raw != nil; coded {
		code = raw.Code // including malformed and empty codes
	}
	switch {
	case !slices.Contains(fault.Common(), code) && !slices.Contains(declared, code):
		return failed(call.incident("tool failed with a code that //jp:fails does not declare", "code", string(code), "error", err))
	case !coded && f.Code == fault.Internal && call.request.HideErrors:
		return failed(call.incident("tool failed", "error", err))
	case f.Code == fault.Internal:
		call.operator().Error("tool failed", "error", err, causes(raw))
	case err != error(f) || f.Cause != nil: // the caller does not receive all of it
		call.operator().Info("tool failed", "code", string(f.Code), "error", err, causes(raw))
	}
	if call.request.HideErrors && f.Cause != nil {
		received := *f
		received.Cause = nil
		f = &received
	}
	return f
}

// causes returns the messages of the wrapped errors as an attribute, which is empty if there are none.
func causes(f *fault.Error) slog.Attr {
	if f == nil || f.Cause == nil {
		return slog.Attr{}
	}
	return slog.Any("causes", f.Trace())
}

// failed returns the fault for an error whose text is only logged.
func failed(incident string) *fault.Error {
	return fault.New(fault.Internal, "the tool failed; see the server's log for incident %s", incident)
}
