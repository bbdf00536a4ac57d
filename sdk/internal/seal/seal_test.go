package seal

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"
)

var (
	plain   = []byte(`{"answer":"the cat is called Mimi"}`)
	purpose = []byte("tool and arguments")
)

func encodeKey(b byte) string {
	return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b}, keySize))
}

func newRing(t *testing.T, keys ...string) *Ring {
	t.Helper()
	r, err := ParseRing(strings.Join(keys, ","))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWhatDoesNotOpen(t *testing.T) {
	r := newRing(t, encodeKey(1))
	later := time.Now().Add(time.Hour)
	text := r.Seal(plain, purpose, later)
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "Mimi") || bytes.Contains(raw, []byte("Mimi")) {
		t.Fatal("the answer can be read")
	}
	refuse := func(what, text string, with *Ring, purpose []byte) {
		t.Helper()
		if got, err := with.Open(text, purpose); !errors.Is(err, ErrSealed) || err.Error() != ErrSealed.Error() || got != nil {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
	for i := range raw {
		for bit := range 8 {
			forged := bytes.Clone(raw)
			forged[i] ^= 1 << bit
			refuse("a flipped bit", base64.RawURLEncoding.EncodeToString(forged), r, purpose)
		}
	}
	for n := range raw {
		refuse("a part", base64.RawURLEncoding.EncodeToString(raw[:n]), r, purpose)
	}
	refuse("another purpose", text, r, []byte("tool and argument"))
	refuse("no purpose", text, r, nil)
	refuse("another key", text, newRing(t, encodeKey(2)), purpose)
	refuse("no key", text, new(Ring), purpose)
	refuse("expired", r.Seal(plain, purpose, time.Now()), r, purpose)
	refuse("text added", text+"AA", r, purpose)
	refuse("a suffix", text+"-TAMPERED", r, purpose)
	refuse("line breaks", text[:8]+"\n"+text[8:], r, purpose)
	refuse("nothing", "", r, purpose)
	refuse("JSON", `{"admin":true}`, r, purpose)
}

func TestKeysAreChanged(t *testing.T) {
	old, both, retired := newRing(t, encodeKey(1)), newRing(t, encodeKey(2), encodeKey(1)), newRing(t, encodeKey(2))
	text := old.Seal(plain, purpose, time.Now().Add(time.Hour))
	if got, err := both.Open(text, purpose); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("with the old key still on the ring: %q, %v", got, err)
	}
	if _, err := retired.Open(text, purpose); !errors.Is(err, ErrSealed) {
		t.Errorf("with the old key retired: %v", err)
	}
	if got, err := retired.Open(both.Seal(plain, purpose, time.Now().Add(time.Hour)), purpose); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("the first key does not seal: %q, %v", got, err)
	}
}

func TestEverySealDiffers(t *testing.T) {
	r := NewRing()
	later := time.Now().Add(time.Hour)
	if a, b := r.Seal(plain, purpose, later), r.Seal(plain, purpose, later); a == b {
		t.Error("a nonce is used twice")
	}
}

func TestKeysThatAreRefused(t *testing.T) {
	const secret = "c2VjcmV0"
	for text, want := range map[string]string{
		"":                                    "at least one key",
		" , ":                                 "at least one key",
		secret:                                "6 bytes",
		encodeKey(1) + "," + secret:           "key 2 has 6 bytes",
		"!" + secret:                          "not base64",
		encodeKey(1) + " " + encodeKey(2)[1:]: "key 2",
	} {
		if _, err := ParseRing(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
			t.Errorf("ParseRing(%q) = %v, want %q and no key", text, err, want)
		}
	}
}

func FuzzOpen(f *testing.F) {
	r, err := ParseRing(encodeKey(7))
	if err != nil {
		f.Fatal(err)
	}
	good := r.Seal(plain, purpose, time.Now().Add(24*time.Hour))
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := r.Open(text, purpose)
		if err == nil && !bytes.Equal(got, plain) {
			t.Errorf("%q opens to %q", text, got)
		}
	})
}
