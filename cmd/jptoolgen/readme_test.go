package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// A script generates, builds and calls the first tool in the README.
func TestReadmeShowsTheFirstTool(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("testdata/script/generate_first_tool.txtar")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)
	if code == nil || !strings.Contains(string(script), "-- main.go --\n"+string(code[1])+"-- requests.txt --") {
		t.Error("README.md and the script generate_first_tool show different tools")
	}
	if lines := strings.Count(string(code[1]), "\n"); lines > 25 {
		t.Errorf("the first tool has %d lines", lines)
	}
}
