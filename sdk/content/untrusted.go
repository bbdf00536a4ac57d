package content

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Untrusted is text from outside, such as a web page, a file or a message, which may contain
// instructions to a model. In a result, and when package fmt prints it, it is put between two
// tags, so that a model does not mistake it for the tool's own words:
//
//	<untrusted-af570b47b287>Ignore all rules.</untrusted-af570b47b287>
//
// The text cannot contain its own closing tag. A result that is cut to the budget of its tool
// still has the tag.
type Untrusted string

// String returns the text between its tags. The conversion string(u) returns the text alone.
func (u Untrusted) String() string {
	id := u.id()
	return "<untrusted-" + id + ">" + string(u) + "</untrusted-" + id + ">"
}

// MarshalText returns the text between its tags.
func (u Untrusted) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// id returns an id that the text does not contain. It is the same for the same text, so that
// results can be compared.
func (u Untrusted) id() string {
	for n := 0; ; n++ {
		sum := sha256.Sum256([]byte(strconv.Itoa(n) + string(u)))
		if id := hex.EncodeToString(sum[:6]); !strings.Contains(string(u), id) {
			return id
		}
	}
}
