package tool_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/tool"
)

// In whatever way a program prints a secret, the text does not contain its value.
func TestSecretIsNotShown(t *testing.T) {
	const value = "hunter2"
	type options struct {
		Token   tool.Secret
		private tool.Secret
		Any     any
	}
	s := tool.NewSecret(value)
	o := options{s, s, map[string]any{"x": &s}}
	if s.Reveal() != value || (tool.Secret{}).Reveal() != "" || o.private.Reveal() != value {
		t.Fatalf("got %q", s.Reveal())
	}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+verb+verb+"\n", s, &s, o)
	}
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info(fmt.Sprint("with ", s), "token", s, "options", o, "pointer", &s)
	}
	for _, v := range []any{s, &s, o, map[string]any{"s": s}} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(text)
	}
	if strings.Contains(out.String(), value) || strings.Contains(out.String(), fmt.Sprintf("%x", value)) {
		t.Errorf("shown: %s", &out)
	}
}
