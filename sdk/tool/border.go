package tool

import (
	"errors"
	"log/slog"
	"reflect"
	"slices"

	"github.com/jptool/jptool/sdk/fault"
)

// border returns the error of a run as the caller sees it: a fault of a code that the
// tool may fail with. What the caller does not see is in the log.
func border(call *Call, declared []fault.Code, err error) *fault.Error {
	told, crash := recovered(call, func() (*fault.Error, error) { return judge(call, declared, err), nil })
	if crash != nil { // by a method of the error
		return fault.From(crash)
	}
	return told
}

func judge(call *Call, declared []fault.Code, err error) *fault.Error {
	if v := reflect.ValueOf(err); v.Kind() == reflect.Pointer && v.IsNil() {
		incident := call.incident("tool returned a nil pointer as its error", "type", v.Type().String())
		return fault.New(fault.Internal, "the tool returned a nil %s as its error, which is not a nil error; "+
			"its operator finds it in the log as incident %s", v.Type(), incident)
	}
	f := fault.From(err)
	raw, coded := errors.AsType[*fault.Error](err)
	code := f.Code
	if coded = coded && raw != nil; coded {
		code = raw.Code // also one that is spelled wrong, or empty
	}
	switch {
	case !slices.Contains(fault.Common(), code) && !slices.Contains(declared, code):
		return failed(call.incident("tool failed with a code that //jp:fails does not declare", "code", string(code), "error", err))
	case !coded && f.Code == fault.Internal && call.request.HideErrors:
		return failed(call.incident("tool failed", "error", err))
	case f.Code == fault.Internal:
		call.operator().Error("tool failed", "error", err, causes(raw))
	case err != error(f) || f.Cause != nil: // the caller is told less
		call.operator().Info("tool failed", "code", string(f.Code), "error", err, causes(raw))
	}
	if call.request.HideErrors && f.Cause != nil {
		told := *f
		told.Cause = nil
		f = &told
	}
	return f
}

// causes returns the texts below a fault, which its own text lacks, for the log; nothing
// for nil.
func causes(f *fault.Error) slog.Attr {
	if f == nil || f.Cause == nil {
		return slog.Attr{}
	}
	return slog.Any("causes", f.Trace())
}

// failed returns the fault of an error that only the log tells.
func failed(incident string) *fault.Error {
	return fault.New(fault.Internal, "the tool failed; its operator finds the cause in the log as incident %s", incident)
}
