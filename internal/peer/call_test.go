package peer_test

import (
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/content"
)

// A resource with a blob is binary, even if the blob has no bytes.
func TestBlocksOfResources(t *testing.T) {
	for blob, want := range map[string]bool{`"blob":""`: true, `"blob":"AA=="`: true, `"text":""`: false} {
		var r peer.Result
		if err := json.Unmarshal([]byte(`{"content":[{"type":"resource","resource":{"uri":"file:///x",`+blob+`}}]}`), &r); err != nil {
			t.Fatal(err)
		}
		blocks, err := r.Blocks()
		if err != nil || len(blocks) != 1 {
			t.Fatalf("%s: %v, %v", blob, blocks, err)
		}
		if got := blocks[0].(content.Resource).Blob != nil; got != want {
			t.Errorf("%s: binary is %t, want %t", blob, got, want)
		}
	}
}
