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

// ValidID reports whether id has 1 to 64 letters, digits, _ and -, is not the id that JP reserves,
// and does not end like the digest of a subject or the number of a question that is asked again.
func ValidID(id string) bool {
	_, try := Try(id)
	dash := strings.LastIndexByte(id, '-')
	return id != "" && len(id) <= MaxID && id != "__permission__" && try == 1 &&
		!strings.ContainsFunc(id, isForbiddenInID) && (dash < 0 || !isDigest(id[dash+1:]))
}

// Tries limits how often a question with invalid answers is asked, including the first time.
const Tries = 3

// Try returns the first id of a question and the number of times that it has been asked, from 1. A
// question that is asked again has the first id, two dashes and that number as its id, because JP
// hosts would repeat the answer that they store under the first id. No other id ends in this way.
func Try(id string) (first string, try int) {
	for try := 2; try <= Tries; try++ {
		if first, ok := strings.CutSuffix(id, "--"+strconv.Itoa(try)); ok {
			return first, try
		}
	}
	return id, 1
}

// isForbiddenInID reports whether ids must not contain r.
func isForbiddenInID(r rune) bool {
	return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// A step leads from a declared question to the one that is asked.
type step struct {
	kind byte // 's' for a subject, 'f' for a field of a form
	name string
}

// digests encodes digests with letters and digits, which are valid in ids.
var digests = base32.StdEncoding.WithPadding(base32.NoPadding)

// digestSize is in bytes. A caller that chooses subjects must not be able to find two with the same id.
const digestSize = 16

func isDigest(text string) bool {
	return len(text) == digests.EncodedLen(digestSize) &&
		strings.IndexFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '2' || r > '7') }) < 0
}

// idOf returns the id of spec after steps. For a single step, it is the declared id, a dash, and the name of the
// field or a subject without a dash. Otherwise, it ends with a dash and a digest. The ids of different steps differ
// from each other and from all ids that the set declares.
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
	return digestID(spec.ID, steps)
}

// SubjectID returns the id of a declared question about a subject that cannot be used in an id unchanged, or of a
// field of that question.
func SubjectID(declared, subject string, field ...string) string {
	steps := []step{{'s', subject}}
	for _, name := range field {
		steps = append(steps, step{'f', name})
	}
	return digestID(declared, steps)
}

func digestID(declared string, steps []step) string {
	h := sha256.New()
	part := func(kind byte, text string) {
		h.Write(binary.BigEndian.AppendUint64([]byte{kind}, uint64(len(text))))
		h.Write([]byte(text))
	}
	part('q', declared)
	readable := declared
	for _, at := range steps {
		part(at.kind, at.name)
		readable += "-" + strings.Map(func(r rune) rune {
			if isForbiddenInID(r) {
				return '_'
			}
			return r
		}, at.name)
	}
	digest := "-" + strings.ToLower(digests.EncodeToString(h.Sum(nil)[:digestSize]))
	return readable[:min(len(readable), MaxID-len(digest))] + digest
}

// writtenID returns the id of a question about a subject, or of one of its fields, with the subject unchanged, as a
// user writes it in a configuration. It returns "" if another question could have this id.
func (q Question) writtenID() string {
	field := len(q.steps) == 2 && q.steps[1].kind == 'f'
	if len(q.steps) != 1 && !field || q.steps[0].kind != 's' {
		return ""
	}
	id := q.declared.ID + "-" + q.steps[0].name
	if field {
		id += "-" + q.steps[1].name
	} else if slices.ContainsFunc(q.declared.Fields, func(f Spec) bool { return strings.HasSuffix(id, "-"+f.ID) }) {
		return "" // may be a field
	}
	if _, try := Try(id); try > 1 || isDigest(id[strings.LastIndexByte(id, '-')+1:]) {
		return ""
	}
	for other := range q.set.taken {
		if id == other || other != q.declared.ID && strings.HasPrefix(id, other+"-") {
			return ""
		}
	}
	return id
}

// sharedID returns the id whose answer applies to all subjects of q, or "" if q does not permit that.
func (q Question) sharedID() string {
	if q.declared == nil || !q.declared.Subjects {
		return ""
	}
	return q.set.idOf(q.declared, slices.DeleteFunc(slices.Clone(q.steps), func(at step) bool { return at.kind == 's' }))
}

// isPlain reports whether a subject can be used in an id unchanged.
func isPlain(subject string) bool {
	return subject != "" && !strings.Contains(subject, "-") &&
		!strings.ContainsFunc(subject, isForbiddenInID) && !isDigest(subject)
}
