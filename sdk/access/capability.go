package access

import "fmt"

// A Capability is an operation on files and directories that a rule grants (JP RFD 076, Capabilities).
type Capability string

// Capabilities of JP RFD 076.
const (
	Read    Capability = "read"    // read files, list directories and see what exists
	Create  Capability = "create"  // create files and directories
	Update  Capability = "update"  // change existing files
	Delete  Capability = "delete"  // remove files and directories, or move them away
	Execute Capability = "execute" // run files as programs
)

// Valid reports whether c is one of the capabilities of this package.
func (c Capability) Valid() bool { return c == Read || c == Execute || c.changes() }

// UnmarshalText sets c from its text form. It refuses a text that is not [Capability.Valid].
func (c *Capability) UnmarshalText(text []byte) error {
	if read := Capability(text); read.Valid() {
		*c = read
		return nil
	}
	return fmt.Errorf("unknown capability %.40q", text)
}

// changes reports whether c allows changes to files.
func (c Capability) changes() bool { return c == Create || c == Update || c == Delete }
