package host

import (
	"strings"

	"github.com/jptool/jptool/sdk/wire"
)

// ReadLocal returns what JP makes of a local tool that has ended: stdout that is an outcome counts
// whatever the exit status, and other output is a result or, if exitOK is false, an error that
// quotes both streams. Bytes that are not UTF-8 become U+FFFD first. A nil codec is
// [wire.Snapshot].
func ReadLocal(tool string, stdout, stderr []byte, exitOK bool, codec wire.Codec) Reply {
	out := strings.ToValidUTF8(string(stdout), "\uFFFD")
	if outcome, err := (Options{Codec: codec}).codec().ReadOutcome([]byte(out)); err == nil {
		return Reply{}.read(outcome, out)
	}
	if exitOK {
		return Reply{Kind: OK, Rule: RuleRawOK, Text: out}
	}
	text := quote([]byte(`{"message":`), "Tool '"+tool+"' execution failed.")
	text = quote(append(text, `,"stderr":`...), strings.ToValidUTF8(string(stderr), "\uFFFD"))
	text = quote(append(text, `,"stdout":`...), out)
	return Reply{Kind: Error, Rule: RuleRawFailed, Text: string(append(text, '}'))}
}
