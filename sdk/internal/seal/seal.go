// Package seal encrypts and authenticates data that clients store for the server.
//
// Sealed text cannot be read or modified by its holder. It can be opened only for the purpose that
// it was sealed for, and only until it expires.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrSealed is the only error of [Ring.Open], so that an attacker learns nothing from it.
var ErrSealed = errors.New("the sealed text cannot be decrypted")

// KeySize is the length of a key in bytes, for AES-256.
const KeySize = 32

// A Ring is a set of keys. The first key seals, and each key can open what it sealed, so that keys
// can be rotated. The zero Ring opens nothing.
type Ring struct {
	keys []key
	now  func() time.Time
}

type key struct {
	id     [idSize]byte
	aead   cipher.AEAD
	marker marker
}

const (
	version  = 1
	idSize   = 4
	timeSize = 8
)

// NewRing returns a ring with a new random key.
func NewRing() *Ring {
	secret := make([]byte, KeySize)
	rand.Read(secret) // crypto/rand never fails
	r := &Ring{now: time.Now}
	if err := r.add(secret); err != nil {
		panic(err) // unreachable: the key has the right size
	}
	return r
}

// RingOf returns a ring with a key that is derived from text. Whoever knows the text has the key.
func RingOf(text string) *Ring {
	secret := sha256.Sum256([]byte(text))
	r := &Ring{now: time.Now}
	if err := r.add(secret[:]); err != nil {
		panic(err) // unreachable: the key has the right size
	}
	return r
}

// ParseRing parses keys separated by commas or white space, each 32 bytes in standard or URL
// base64. Errors never contain a key.
func ParseRing(text string) (*Ring, error) {
	r := &Ring{now: time.Now}
	for i, field := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' || c == '\n' || c == '\t' }) {
		field = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(field, "="))
		secret, err := base64.RawStdEncoding.DecodeString(field)
		if err != nil {
			return nil, fmt.Errorf("key %d is not base64", i+1)
		}
		if len(secret) != KeySize {
			return nil, fmt.Errorf("key %d has %d bytes, not %d", i+1, len(secret), KeySize)
		}
		if err := r.add(secret); err != nil {
			return nil, fmt.Errorf("key %d: %w", i+1, err)
		}
	}
	if len(r.keys) == 0 {
		return nil, errors.New("at least one key is required")
	}
	return r, nil
}

func (r *Ring) add(secret []byte) error {
	block, err := aes.NewCipher(secret)
	if err != nil {
		return err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return err
	}
	k := key{aead: aead, marker: newMarker(secret)}
	sum := sha256.Sum256(secret)
	copy(k.id[:], sum[:])
	r.keys = append(r.keys, k)
	return nil
}

// Seal seals plain for a purpose. The result can be opened until expires, and consists of letters,
// digits, - and _.
func (r *Ring) Seal(plain, purpose []byte, expires time.Time) string {
	k := r.keys[0]
	head := make([]byte, 0, 1+idSize+timeSize)
	head = append(head, version)
	head = append(head, k.id[:]...)
	head = binary.BigEndian.AppendUint64(head, uint64(expires.Unix()))
	sealed := k.aead.Seal(head, nil, plain, additional(head, purpose))
	return base64.RawURLEncoding.EncodeToString(sealed)
}

// Open returns the text sealed for the purpose. The error is [ErrSealed].
func (r *Ring) Open(text string, purpose []byte) ([]byte, error) {
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	const headSize = 1 + idSize + timeSize
	// The decoder ignores line breaks, which sealed text does not have.
	if err != nil || strings.ContainsAny(text, "\r\n") || len(sealed) < headSize || sealed[0] != version {
		return nil, ErrSealed
	}
	head := sealed[:headSize:headSize]
	for _, k := range r.keys {
		if [idSize]byte(head[1:1+idSize]) != k.id {
			continue
		}
		plain, err := k.aead.Open(nil, nil, sealed[headSize:], additional(head, purpose))
		if err != nil {
			return nil, ErrSealed
		}
		if r.now().Unix() >= int64(binary.BigEndian.Uint64(head[1+idSize:])) {
			return nil, ErrSealed
		}
		return plain, nil
	}
	return nil, ErrSealed
}

// additional returns the authenticated data: the head and the purpose.
func additional(head, purpose []byte) []byte {
	return append(append(make([]byte, 0, len(head)+len(purpose)), head...), purpose...)
}
