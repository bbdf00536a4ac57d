package decode_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/jptool/jptool/sdk/gen/decode"
)

// A call with eight inputs allocates little more than the strings that it keeps. The limit leaves some room,
// because the race detector drops items from pools.
func TestAllocations(t *testing.T) {
	n := testing.AllocsPerRun(200, func() {
		var in searchInput
		decode.Into(searchArguments, &in, decodeSearch, decode.Options{})
	})
	if n > 24 {
		t.Errorf("%.0f allocations for eight inputs, want at most 24", n)
	}
}

// Concurrent calls share decoders through a pool, but not values.
func TestCallsAtOnce(t *testing.T) {
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 200 {
				letter := string(rune('a' + (i+j)%26))
				data := bytes.ReplaceAll([]byte(`{"query":"ZZZ\n","tags":["Z","Z\t"],"filter":"{\"author\":\"Z\"}"}`), []byte("Z"), []byte(letter))
				var in searchInput
				err := decode.Into(data, &in, decodeSearch, decode.Options{}).Err()
				clear(data)
				if want := letter + letter + letter + "\n"; err != nil || in.Query != want || in.Tags[1] != letter+"\t" || in.Filter.Author != letter {
					t.Errorf("got %+v, %v, want the letter %s", in, err, letter)
					return
				}
			}
		})
	}
	group.Wait()
}

// A rejected document does not affect the next one.
func TestCallsAfterRefusals(t *testing.T) {
	for _, text := range []string{`{"query":`, `{"query":1,"filter":{"zzz":1}}`, `{"query":"a","tags":"[\"x\","}`} {
		var in searchInput
		if decode.Into([]byte(text), &in, decodeSearch, decode.Options{Closed: true}).Err() == nil {
			t.Errorf("%s was accepted", text)
		}
		in = searchInput{}
		report := decode.Into([]byte(`{"query":"b","zzz":1}`), &in, decodeSearch, decode.Options{})
		if report.Err() != nil || in.Query != "b" || in.Tags != nil {
			t.Errorf("after %s: %+v, %+v", text, in, report)
		}
	}
}
