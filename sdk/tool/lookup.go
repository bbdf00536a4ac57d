package tool

import (
	"fmt"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Unknown returns the fault for a tool that is not among those of these names. It
// names the one that was likely meant, and repeats a long name only in part.
func Unknown(name string, names []string) *fault.Error {
	f := fault.New(fault.NotFound, "there is no tool %.60q", name)
	if near, ok := decode.Nearest(name, names); ok {
		f.Message += fmt.Sprintf("; did you mean %q?", near)
		f.Details = map[string]any{"nearest": near}
	}
	return f
}

// Deprecated returns the remark on a call that came under a former name of a tool.
func Deprecated(current string, old *manifest.Alias) string {
	return fmt.Sprintf("%s is a former name of this tool, which ends on %s; call %s instead", old.Name, old.Until, current)
}

// Decoding returns how a server decodes arguments whose contract says u of those
// that no tool declares.
func Decoding(u manifest.Unknown) decode.Options {
	if u == manifest.Reject {
		return decode.Options{Unknown: decode.Reject}
	}
	return decode.Options{}
}
