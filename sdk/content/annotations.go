package content

import (
	"errors"
	"fmt"
	"time"
)

// Annotations say for whom a block is and how much it matters (MCP, Resources,
// Annotations). The zero value says nothing and is left out. A client need not
// heed them.
type Annotations struct {
	// Audience is whom the block is for; nil says nothing.
	Audience []Role
	// Priority goes from 0, entirely optional, to 1, effectively required; nil says
	// nothing.
	Priority *float64
	// LastModified is when the content was last changed; zero says nothing.
	LastModified time.Time
}

// A Role is a party to a conversation.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// IsZero reports whether a says nothing.
func (a Annotations) IsZero() bool {
	return len(a.Audience) == 0 && a.Priority == nil && a.LastModified.IsZero()
}

// Modified returns LastModified as clients want it, in RFC 3339 and UTC; "" if it
// is zero.
func (a Annotations) Modified() string {
	if a.LastModified.IsZero() {
		return ""
	}
	return a.LastModified.UTC().Format(time.RFC3339Nano)
}

func (a Annotations) check() error {
	for _, role := range a.Audience {
		if role != User && role != Assistant {
			return fmt.Errorf("unknown role %.40q in the audience", string(role))
		}
	}
	// A comparison with NaN is false, so the range is put the positive way.
	if a.Priority != nil && !(*a.Priority >= 0 && *a.Priority <= 1) {
		return fmt.Errorf("the priority %v is not from 0 to 1", *a.Priority)
	}
	if year := a.LastModified.UTC().Year(); year < 0 || year > 9999 {
		return errors.New("the time of the last change has a year that RFC 3339 cannot write")
	}
	return nil
}
