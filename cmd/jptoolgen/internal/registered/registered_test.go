package registered_test

import (
	"context"
	"encoding/json"
	"go/token"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/registered"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/registered/testdata/shapes"
)

// The tools read from the source are the same as the tools that the server lists.
func TestShapes(t *testing.T) {
	fset := token.NewFileSet()
	dir, err := filepath.Abs("testdata/shapes")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := load.Source(t.Context(), dir, fset)
	if err != nil {
		t.Fatal(err)
	}
	got, err := registered.Read(pkg, func(pos token.Pos) string { return fset.Position(pos).String() })
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range got.Notes {
		t.Error(n)
	}
	want := list(t)
	if got.Name != "shape_s" || len(got.Tools) != len(want) {
		t.Errorf("got %s with %d tools, want shape_s with %d", got.Name, len(got.Tools), len(want))
	}
	for _, tool := range got.Tools {
		var value any
		if err := json.Unmarshal(tool.Raw, &value); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(value, want[tool.Name]) {
			text, err := json.Marshal(want[tool.Name])
			t.Errorf("got  %s\nwant %s %v", tool.Raw, text, err)
		}
	}
}

// list returns the tools that the server lists, keyed by name.
func list(t *testing.T) map[string]any {
	t.Helper()
	client, server := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- shapes.Server().Run(ctx, server) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, client, nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := session.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	for _, tool := range result.Tools {
		data, err := json.Marshal(tool)
		var value any
		if err == nil {
			err = json.Unmarshal(data, &value)
		}
		if err != nil {
			t.Fatal(err)
		}
		all[tool.Name] = value
	}
	cancel()
	<-done
	return all
}
