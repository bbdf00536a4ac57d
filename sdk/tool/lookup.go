package tool

import (
	"fmt"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Unknown returns the fault for an unknown tool. It suggests the nearest of the names, and
// shortens a long name.
func Unknown(name string, names []string) *fault.Error {
	f := fault.New(fault.NotFound, "there is no tool %.60q", name)
	if near, ok := decode.Nearest(name, names); ok {
		f.Message += fmt.Sprintf("; did you mean %q?", near)
		f.Details = map[string]any{"nearest": near}
	}
	return f
}

// Deprecated returns the remark for a call by a former name of a tool.
func Deprecated(current string, old *manifest.Alias) string {
	return fmt.Sprintf("%s is a former name of this tool, which ends on %s; call %s instead", old.Name, old.Until, current)
}

// Decoding returns the decoding options for a policy for undeclared arguments.
func Decoding(u manifest.Unknown) decode.Options {
	if u == manifest.Reject {
		return decode.Options{Unknown: decode.Reject}
	}
	return decode.Options{}
}
