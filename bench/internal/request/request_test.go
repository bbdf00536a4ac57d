package request

import (
	"encoding/json"
	"testing"

	"github.com/jptool/jptool/bench/internal/search"
)

func TestLinesAreMessages(t *testing.T) {
	for _, era := range Eras {
		for _, line := range []string{Initialize, Initialized, List(era, 1), Call(era, 2, Arguments), Call(era, 3, Invalid()), Call(era, 4, Large(1000))} {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: not JSON: %s", era, line)
			}
		}
	}
}

func TestArguments(t *testing.T) {
	read := func(text string) (in search.In) {
		t.Helper()
		if err := json.Unmarshal([]byte(text), &in); err != nil {
			t.Fatal(err)
		}
		return in
	}
	if got := read(Invalid()).Limit; got != 2000 {
		t.Errorf("the limit of what is invalid is %d", got)
	}
	const size = 1_000_000
	if got := len(read(Large(size)).Query); got < size*99/100 || got > size {
		t.Errorf("the text of a large call has %d bytes, not about %d", got, size)
	}
}
