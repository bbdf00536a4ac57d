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

// FuzzNewTool calls the tool with generated arguments; run it with: go test -fuzz FuzzNewTool
func FuzzNewTool(f *testing.F) { jptest.Fuzz(f, NewServer(&MyNotes{}), "new_tool") }
