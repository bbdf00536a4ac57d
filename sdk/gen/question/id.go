package question

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// MaxID is the maximum length of a question id in bytes.
const MaxID = 64

// ValidID reports whether id is valid: 1 to 64 letters, digits, _ and -, not the id that JP
// reserves, and without a suffix that looks like the digest of a subject or like the number of
// a question that is asked again.
func ValidID(id string) bool {
	_, try := Try(id)
	dash := strings.LastIndexByte(id, '-')
	return id != "" && len(id) <= MaxID && isIDText(id) && id != "__permission__" &&
		try == 1 && (dash < 0 || !isDigest(id[dash+1:]))
}

// Tries is the maximum number of times that a question is asked, including the first, while its
// answers are invalid.
const Tries = 3

// Try returns the first id of a question and the number of times that it has been asked, starting
// at 1. When a question is asked again, its id is the first id, two dashes and that number; no
// other id ends in this way. JP hosts would otherwise repeat the answer that they have stored under
// the first id.
func Try(id string) (first string, try int) {
	for try := 2; try <= Tries; try++ {
		if first, ok := strings.CutSuffix(id, "--"+strconv.Itoa(try)); ok {
			return first, try
		}
	}
	return id, 1
}

func isIDText(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !idRune(r) }) < 0
}

func idRune(r rune) bool {
	return r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// A step leads from a declared question to the one that is asked.
type step struct {
	kind byte // 's' for a subject, 'f' for a field of a form
	name string
}

// digests encodes digests with letters and digits, which are valid in ids.
var digests = base32.StdEncoding.WithPadding(base32.NoPadding)

// digestSize is the digest length in bytes. The caller may choose the subjects, and must not
// be able to find two with the same id.
const digestSize = 16

func isDigest(text string) bool {
	return len(text) == digests.EncodedLen(digestSize) &&
		strings.IndexFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '2' || r > '7') }) < 0
}

// idOf returns the id of a question for the given steps. Different steps have different ids,
// which also differ from all ids that the set declares. For a single step, the id is the
// declared id, a dash, and the name of the field or a subject without a dash. For all other
// steps, it ends with a dash and a digest of the steps.
func (s *Set) idOf(spec *Spec, steps []step) string {
	switch len(steps) {
	case 0:
		return spec.ID
	case 1:
		id := spec.ID + "-" + steps[0].name
		_, try := Try(id)
		if steps[0].kind == 'f' || isPlain(steps[0].name) && len(id) <= MaxID && !s.taken[id] && try == 1 {
			return id
		}
	}
	h := sha256.New()
	part := func(kind byte, text string) {
		h.Write(binary.BigEndian.AppendUint64([]byte{kind}, uint64(len(text))))
		h.Write([]byte(text))
	}
	part('q', spec.ID)
	readable := spec.ID
	for _, at := range steps {
		part(at.kind, at.name)
		readable += "-" + strings.Map(func(r rune) rune {
			if idRune(r) {
				return r
			}
			return '_'
		}, at.name)
	}
	digest := "-" + strings.ToLower(digests.EncodeToString(h.Sum(nil)[:digestSize]))
	return readable[:min(len(readable), MaxID-len(digest))] + digest
}

// shared returns the id whose answer applies to all subjects of q, or "" if q does not permit that.
func (q Question) shared() string {
	if q.declared == nil || !q.declared.Subjects {
		return ""
	}
	return q.set.idOf(q.declared, slices.DeleteFunc(slices.Clone(q.steps), func(at step) bool { return at.kind == 's' }))
}

// isPlain reports whether a subject can be used in an id unchanged.
func isPlain(subject string) bool {
	return subject != "" && !strings.Contains(subject, "-") && isIDText(subject) && !isDigest(subject)
}
