// Package unlisted logs the values of open sets that their types declare no constant for.
package unlisted

import (
	"fmt"
	"log/slog"
	"reflect"
	"strconv"
	"sync"

	"github.com/jptool/jptool/internal/phrase"
)

// Limits for the caller's text: the number of different values that are remembered and logged, and the characters of
// each.
const (
	maxValues = 1000
	maxShown  = 60
)

var (
	mu   sync.Mutex
	seen = map[string]bool{}
)

// Log logs a value the first time that it occurs in this process, with the default logger. After 1000 different
// values, it logs no others.
func Log[T any](value T) {
	typ, text := fmt.Sprintf("%T", value), phrase.Clip(plain(value), maxShown)
	if first(typ + " " + text) {
		slog.Warn("value of an open set without a constant", "type", typ, "value", text)
	}
}

// plain returns the text of a string or an integer. It does not call methods of its type, such as String.
func plain(value any) string {
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	default:
		return v.String()
	}
}

func first(key string) bool {
	mu.Lock()
	defer mu.Unlock()
	if seen[key] || len(seen) == maxValues {
		return false
	}
	seen[key] = true
	return true
}
