package access

import "fmt"

// A Capability is one thing that a rule grants on files and directories
// (JP RFD 076, Capabilities).
type Capability string

// The capabilities.
const (
	Read    Capability = "read"    // read files, list directories, and see what exists
	Create  Capability = "create"  // make files and directories
	Update  Capability = "update"  // change files that exist
	Delete  Capability = "delete"  // remove files and directories, also by moving them away
	Execute Capability = "execute" // run files as programs
)

// Valid reports whether c is one of the capabilities of this package.
func (c Capability) Valid() bool { return c == Read || c == Execute || c.changes() }

// UnmarshalText sets c from its text form. It refuses a text that is not
// [Capability.Valid].
func (c *Capability) UnmarshalText(text []byte) error {
	if read := Capability(text); read.Valid() {
		*c = read
		return nil
	}
	return fmt.Errorf("unknown capability %.40q", text)
}

// changes reports whether c is about writing.
func (c Capability) changes() bool { return c == Create || c == Update || c == Delete }
