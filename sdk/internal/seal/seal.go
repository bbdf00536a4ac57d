// Package seal encrypts and authenticates data that clients store for the server.
//
// The holder cannot read or modify sealed text. The server can open it only for the purpose that it
// was sealed for, and only until it expires.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ErrSealed is the only error of [Ring.Open] and [Ring.OpenMark], so that attackers learn nothing.
var ErrSealed = errors.New("the sealed text cannot be decrypted")

// A Ring is a set of keys for rotation: the first key seals, and all keys open what they sealed. The
// zero Ring opens nothing.
type Ring struct{ keys []key }

// A key is derived from a secret.
type key struct {
	id      [idSize]byte
	aead    cipher.AEAD
	markMAC []byte // authenticates marks
	marks   cipher.Block
}

const (
	version  = 1
	keySize  = 32 // AES-256
	idSize   = 4
	headSize = 1 + idSize + 8
	markSize = aes.BlockSize // the authentication of a mark, which is also the initial counter
)

// NewRing returns a ring with a new random key.
func NewRing() *Ring { return RingOf(rand.Text() + rand.Text()) }

// RingOf returns a ring with a key that is derived from text. Whoever knows the text has the key.
func RingOf(text string) *Ring {
	secret := sha256.Sum256([]byte(text))
	return &Ring{[]key{newKey(secret[:])}}
}

// ParseRing parses keys separated by commas or white space, each 32 bytes in standard or URL
// base64. Errors never contain a key.
func ParseRing(text string) (*Ring, error) {
	r := new(Ring)
	for i, field := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' || c == '\n' || c == '\t' }) {
		field = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(field, "="))
		secret, err := base64.RawStdEncoding.DecodeString(field)
		if err != nil {
			return nil, fmt.Errorf("key %d is not base64", i+1)
		}
		if len(secret) != keySize {
			return nil, fmt.Errorf("key %d has %d bytes, not %d", i+1, len(secret), keySize)
		}
		r.keys = append(r.keys, newKey(secret))
	}
	if len(r.keys) == 0 {
		return nil, errors.New("at least one key is required")
	}
	return r, nil
}

// newKey returns the key for a secret of keySize bytes.
func newKey(secret []byte) key {
	id := sha256.Sum256(secret)
	return key{
		id:      [idSize]byte(id[:]),
		aead:    must(cipher.NewGCMWithRandomNonce(must(aes.NewCipher(secret)))),
		markMAC: sum(secret, []byte("mark authentication")),
		marks:   must(aes.NewCipher(sum(secret, []byte("mark encryption")))),
	}
}

// must returns v. An error cannot occur, because every key has the right size.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func sum(secret []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, secret)
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum(nil)
}

// Seal seals plain for a purpose until expires. The result contains only letters, digits, - and _.
func (r *Ring) Seal(plain, purpose []byte, expires time.Time) string {
	k := r.keys[0]
	head := append([]byte{version}, k.id[:]...)
	head = binary.BigEndian.AppendUint64(head, uint64(expires.Unix()))
	// The head and the purpose are authenticated.
	return base64.RawURLEncoding.EncodeToString(k.aead.Seal(head, nil, plain, slices.Concat(head, purpose)))
}

// Open returns the text sealed for the purpose. The error is [ErrSealed].
func (r *Ring) Open(text string, purpose []byte) ([]byte, error) {
	sealed := decode(text)
	if len(sealed) < headSize || sealed[0] != version {
		return nil, ErrSealed
	}
	head := sealed[:headSize]
	for _, k := range r.keys {
		if [idSize]byte(head[1:]) != k.id {
			continue
		}
		plain, err := k.aead.Open(nil, nil, sealed[headSize:], slices.Concat(head, purpose))
		if err == nil && time.Now().Unix() < int64(binary.BigEndian.Uint64(head[1+idSize:])) {
			return plain, nil
		}
	}
	return nil, ErrSealed
}

// decode returns nil for invalid text.
func decode(text string) []byte {
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") { // the decoder ignores line breaks
		return nil
	}
	return sealed
}

// Mark seals short text like [Ring.Seal], but the result is shorter, is the same for the same text
// and purpose, and does not expire. It uses a synthetic initialization vector, as in RFC 5297.
func (r *Ring) Mark(plain, purpose []byte) string {
	k := r.keys[0]
	initial := k.initial(plain, purpose)
	return base64.RawURLEncoding.EncodeToString(append(initial, k.crypt(initial, plain)...))
}

// OpenMark returns the text of a mark for the purpose. The error is [ErrSealed].
func (r *Ring) OpenMark(text string, purpose []byte) ([]byte, error) {
	sealed := decode(text)
	if len(sealed) < markSize {
		return nil, ErrSealed
	}
	for _, k := range r.keys {
		plain := k.crypt(sealed[:markSize], sealed[markSize:])
		if hmac.Equal(k.initial(plain, purpose), sealed[:markSize]) {
			return plain, nil
		}
	}
	return nil, ErrSealed
}

func (k key) initial(plain, purpose []byte) []byte {
	size := binary.BigEndian.AppendUint64(nil, uint64(len(purpose)))
	return sum(k.markMAC, size, purpose, plain)[:markSize:markSize]
}

// crypt encrypts or decrypts the text of a mark.
func (k key) crypt(initial, text []byte) []byte {
	out := make([]byte, len(text))
	cipher.NewCTR(k.marks, initial).XORKeyStream(out, text)
	return out
}
