package client_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/client"
)

// A wrong response ends the session at once, with its cause.
func TestWrongIDs(t *testing.T) {
	t.Parallel()
	for name, response := range map[string]string{
		"a string": `{"jsonrpc":"2.0","id":"1","result":{}}`,
		"NaN":      `{"jsonrpc":"2.0","id":1,"result":{"a":NaN}}`,
		"cut":      `{"jsonrpc":"2.0","id":1,"resu`,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		c, err := client.Connect(ctx, client.Command(ctx, "sh", "-c", "read -r l; printf '%s\\n' '"+response+"'; cat >/dev/null"), client.Options{})
		if err == nil {
			_ = c.Close()
			t.Errorf("%s: connected", name)
			continue
		}
		if ctx.Err() != nil || !strings.Contains(err.Error(), "id") && !strings.Contains(err.Error(), "invalid") && !strings.Contains(err.Error(), "unexpected") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
