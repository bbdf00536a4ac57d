package loglevel_test

import (
	"testing"

	"github.com/jptool/jptool/examples/internal/loglevel"
)

func TestFromEnv(t *testing.T) {
	for value, want := range map[string]string{
		"": "info", "warn": "warn", " ERROR ": "error", "trace": "debug", "off": "error+4", "info,bookworm=debug": "debug", "debug,hyper=off,": "info",
	} {
		t.Setenv("SOME_LOG", value)
		if got, err := loglevel.FromEnv("SOME_LOG"); got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", value, got, err, want)
		}
	}
	t.Setenv("SOME_LOG", "info,x=loud")
	if got, err := loglevel.FromEnv("SOME_LOG"); err == nil || err.Error() != `$SOME_LOG: invalid level "loud" (known: error, warn, info, debug, trace, off)` {
		t.Errorf("%q, %v", got, err)
	}
}
