package seal

import (
	"encoding/base64"
	"errors"
	"testing"
)

func TestMarks(t *testing.T) {
	r := newRing(t, encodeKey(1))
	mark := r.Mark(plain, purpose)
	if mark != r.Mark(plain, purpose) || mark == r.Mark(plain, []byte("other")) || mark == r.Mark(plain[1:], purpose) {
		t.Error("a mark depends on something else than its text and purpose")
	}
	raw, err := base64.RawURLEncoding.DecodeString(mark)
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() ([]byte, error){
		"itself":        func() ([]byte, error) { return r.OpenMark(mark, purpose) },
		"a rotated key": func() ([]byte, error) { return newRing(t, encodeKey(2), encodeKey(1)).OpenMark(mark, purpose) },
	} {
		if got, err := open(); err != nil || string(got) != string(plain) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for i := range raw {
		raw[i] ^= 1
		if _, err := r.OpenMark(base64.RawURLEncoding.EncodeToString(raw), purpose); !errors.Is(err, ErrSealed) {
			t.Errorf("with byte %d changed: %v", i, err)
		}
		raw[i] ^= 1
	}
	for name, open := range map[string]func() ([]byte, error){
		"another purpose": func() ([]byte, error) { return r.OpenMark(mark, plain) },
		"another key":     func() ([]byte, error) { return newRing(t, encodeKey(2)).OpenMark(mark, purpose) },
		"short":           func() ([]byte, error) { return r.OpenMark(mark[:20], purpose) },
		"a line break":    func() ([]byte, error) { return r.OpenMark(mark[:8]+"\n"+mark[8:], purpose) },
		"empty":           func() ([]byte, error) { return r.OpenMark("", purpose) },
	} {
		if got, err := open(); !errors.Is(err, ErrSealed) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if a, b := RingOf("x").Mark(plain, purpose), RingOf("y").Mark(plain, purpose); a == b || a != RingOf("x").Mark(plain, purpose) {
		t.Error("the key is not that of the text")
	}
}
