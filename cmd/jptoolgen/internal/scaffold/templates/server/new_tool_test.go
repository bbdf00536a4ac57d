package main

import (
	"testing"

	"github.com/jptool/jptool/sdk/jptest"
)

func TestNewTool(t *testing.T) {
	kit := jptest.New(t, NewServer(&MyNotes{}))
	got := kit.Call("new_tool", map[string]any{"text": "hello"}).OK(t)
	if got != "hello" {
		t.Errorf("got %q", got)
	}
}
