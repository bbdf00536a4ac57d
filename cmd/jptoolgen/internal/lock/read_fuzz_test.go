package lock_test

import (
	"bytes"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
)

// FuzzRead checks that a contract keeps its text and its digests when it is read and written again.
func FuzzRead(f *testing.F) {
	text, err := sample().Write()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"format":1,"name":"a","tools":[{"name":"t","input":null},{"input":{"properties":{"title":{"title":1e400}}}}]}`))
	f.Add([]byte(`{"format":1,"codes":[],"tools":[{"questions":[{"default":{"b":-0,"a":"\u2028"},"schema":true}]}],"new":1}`))
	f.Add([]byte("<<<<<<< HEAD\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := lock.Read(data)
		if err != nil {
			return
		}
		text, err := s.Write()
		if err != nil {
			t.Fatalf("%q is read and not written: %v", data, err)
		}
		back, err := lock.Read(text)
		if err != nil {
			t.Fatalf("%q is written as %s: %v", data, text, err)
		}
		if again, err := back.Write(); err != nil || !bytes.Equal(text, again) {
			t.Fatalf("%s is written as %s (%v)", text, again, err)
		}
		sum, err := lock.Sum(s)
		if err != nil {
			t.Fatalf("%s has no digests: %v", text, err)
		}
		if again, err := lock.Sum(back); err != nil || again != sum {
			t.Fatalf("%s has the digests %+v, then %+v (%v)", text, sum, again, err)
		}
	})
}
