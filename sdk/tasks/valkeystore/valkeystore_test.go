package valkeystore_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jptool/jptool/internal/storetest"
	"github.com/jptool/jptool/sdk/tasks"
	"github.com/jptool/jptool/sdk/tasks/valkeystore"
)

func open(t *testing.T, address string) tasks.Store {
	t.Helper()
	s, err := valkeystore.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	redis, address := storetest.Redis(t), ""
	var n atomic.Int32
	storetest.Run(t, func(t *testing.T) tasks.Store {
		address = fmt.Sprintf("%s?prefix=test%d", redis, n.Add(1))
		return open(t, address)
	}, func(t *testing.T, _ tasks.Store) tasks.Store { return open(t, address) })
}

func TestErrorsHideTheAddress(t *testing.T) {
	for _, address := range []string{"valkey://user:hunter2@127.0.0.1:1/0", "valkey://user:hunter2@[/0", "valkey://user:hunter2@h/x"} {
		_, err := valkeystore.Open(t.Context(), address)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v", err)
		}
	}
}
