package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// A marker holds the keys of [Ring.Mark], which are derived from the secret of a key.
type marker struct{ mac, encryption []byte }

// markSize is the size of the authentication of a mark, which is also the initial counter of its encryption.
const markSize = aes.BlockSize

func newMarker(secret []byte) marker {
	derive := func(use string) []byte {
		h := hmac.New(sha256.New, secret)
		h.Write([]byte(use))
		return h.Sum(nil)
	}
	return marker{derive("mark authentication"), derive("mark encryption")}
}

// Mark seals short text like [Ring.Seal], but the result is always the same for the same text and purpose, is
// shorter, and does not expire. It uses a synthetic initial value, as RFC 5297 does.
func (r *Ring) Mark(plain, purpose []byte) string {
	m := r.keys[0].marker
	sealed := m.sum(plain, purpose)
	return base64.RawURLEncoding.EncodeToString(append(sealed, m.crypt(sealed, plain)...))
}

// OpenMark returns the text of a mark for the purpose. The error is [ErrSealed].
func (r *Ring) OpenMark(text string, purpose []byte) ([]byte, error) {
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") || len(sealed) < markSize {
		return nil, ErrSealed
	}
	for _, k := range r.keys {
		plain := k.marker.crypt(sealed[:markSize], sealed[markSize:])
		if hmac.Equal(k.marker.sum(plain, purpose), sealed[:markSize]) {
			return plain, nil
		}
	}
	return nil, ErrSealed
}

// sum returns the authentication code of text and its purpose.
func (m marker) sum(plain, purpose []byte) []byte {
	h := hmac.New(sha256.New, m.mac)
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(purpose))))
	h.Write(purpose)
	h.Write(plain)
	return h.Sum(nil)[:markSize:markSize]
}

// crypt encrypts or decrypts text.
func (m marker) crypt(initial, text []byte) []byte {
	block, err := aes.NewCipher(m.encryption)
	if err != nil {
		panic(err) // unreachable: the key has the right size
	}
	out := make([]byte, len(text))
	cipher.NewCTR(block, initial).XORKeyStream(out, text)
	return out
}
