package wire

import (
	"errors"
	"fmt"
	"strings"
)

func missing(want string) error { return errors.New("missing, expected " + want) }

// expected describes the actual value by its JSON type, a count or [shorten], so that errors never contain the
// document itself.
func expected(want, got string) error { return fmt.Errorf("expected %s, got %s", want, got) }

// shorten shortens a name from a document for an error message.
func shorten[S ~string](s S) string {
	const limit = 40
	if runes := []rune(s); len(runes) > limit {
		s = S(runes[:limit]) + "…"
	}
	return `"` + strings.ToValidUTF8(string(s), "�") + `"`
}
