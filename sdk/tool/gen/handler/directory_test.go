package handler_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// All pages together have each file once, wherever a page ends, and directories without files do not stop the list.
func TestPagesOfADirectory(t *testing.T) {
	all := fstest.MapFS{"z": {}, "a.b/c": {}, "a/c": {}, "a/d/e": {}}
	want := []string{"z", "a.b/c", "a/c", "a/d/e"}
	for i := range 300 {
		name := fmt.Sprintf("d%d/f%03d", i/100, i)
		all[name], want = &fstest.MapFile{}, append(want, name)
	}
	for i := range 12_000 {
		all[fmt.Sprintf("empty/%05d", i)] = &fstest.MapFile{Mode: fs.ModeDir}
	}
	list := handler.New("docs", handler.Codec[handler.None, handler.None, handler.None, fs.FS]{Kind: handler.Resource, Result: handler.Directory},
		func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (fs.FS, error) {
			return all, nil
		})
	var got []string
	for after, count := "", 0; ; count++ {
		r, err := list.Run(t.Context(), &handler.Run{
			Contract: &manifest.Tool{Name: "docs"}, Offer: &handler.Offer{Kind: handler.Resource, Action: handler.List, Variable: "path", After: after},
		})
		if err != nil || count > 10 {
			t.Fatalf("page %d after %q: %v", count, after, err)
		}
		var page struct {
			Items []struct{ Variables struct{ Path string } }
			Next  string `json:"next_cursor"`
		}
		if err := json.Unmarshal([]byte(r.Structured), &page); err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			got = append(got, item.Variables.Path)
		}
		if after = page.Next; after == "" {
			break
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}
