package content

import (
	"errors"
	"fmt"
	"time"
)

// Annotations describe the audience and the importance of a block (MCP, Resources, Annotations). The zero value
// is not sent. Clients may ignore annotations.
type Annotations struct {
	// Audience lists the intended readers; nil means unspecified.
	Audience []Role
	// Priority ranges from 0, entirely optional, to 1, effectively required; nil means unspecified.
	Priority *float64
	// LastModified is the time of the last change to the content; zero means unspecified.
	LastModified time.Time
}

// A Role is a party of a conversation.
type Role string

// The roles that MCP defines.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// IsZero reports whether a is the zero value.
func (a Annotations) IsZero() bool {
	return len(a.Audience) == 0 && a.Priority == nil && a.LastModified.IsZero()
}

// Modified returns LastModified in RFC 3339 and UTC, as clients expect it, or "" if it is zero.
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
	// A comparison with NaN is false, so the condition is written as a negated range.
	if a.Priority != nil && !(*a.Priority >= 0 && *a.Priority <= 1) {
		return fmt.Errorf("the priority %v is not between 0 and 1", *a.Priority)
	}
	if year := a.LastModified.UTC().Year(); year < 0 || year > 9999 {
		return errors.New("the year of LastModified cannot be written in RFC 3339")
	}
	return nil
}
