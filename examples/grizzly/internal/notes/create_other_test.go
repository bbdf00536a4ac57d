//go:build !darwin

package notes_test

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/opener"
	"github.com/jptool/jptool/sdk/fault"
)

func TestCreateFailsBeforeAsking(t *testing.T) {
	s := createShelf(t, kitchen()...)
	s.notes.Opener = opener.Opener{}
	out := s.kit(t).Call("note_create", raw(`{"title":"Soup","tags":["Cooking"]}`))
	if message := out.Failed(t, fault.Unavailable); len(out.Asked) != 0 || !strings.Contains(message, "with --opener PROGRAM") {
		t.Errorf("asked %q, then said %q", out.Questions(), message)
	}
}
