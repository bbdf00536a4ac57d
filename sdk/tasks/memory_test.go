package tasks_test

import (
	"testing"

	"github.com/jptool/jptool/internal/storetest"
	"github.com/jptool/jptool/sdk/tasks"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) tasks.Store { return tasks.NewMemory() }, nil)
}

func TestOpenNamesThePackage(t *testing.T) {
	_, err := tasks.Openers(nil).Open(t.Context(), "valkey://user:hunter2@localhost/0")
	const want = `this program does not contain the store for "valkey": ` +
		`call Use of package "github.com/jptool/jptool/sdk/tasks/valkeystore" in main`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err = tasks.Openers(nil).Open(t.Context(), "sqlite:x"); err == nil || err.Error() != `unknown scheme "sqlite" (known: memory)` {
		t.Errorf("got %v", err)
	}
}
