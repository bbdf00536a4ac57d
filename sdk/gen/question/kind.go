package question

import "fmt"

// A Kind is the kind of answer that a question accepts.
type Kind int

// The kinds of questions.
const (
	KindConfirm Kind = iota + 1 // true or false
	KindChoice                  // one of the constants of a Go type
	KindText                    // a string
	KindNumber                  // a number
	KindPick                    // one value from a list that is built at run time
	KindForm                    // a flat object
	KindSecret                  // a string that is not shown
	KindSeveral                 // any of the constants of a Go type
	KindVisit                   // true if the user opens a page
)

var kindNames = [...]string{
	KindConfirm: "confirm", KindChoice: "choice", KindText: "text", KindNumber: "number", KindPick: "pick", KindForm: "form",
	KindSecret: "secret", KindSeveral: "several", KindVisit: "visit",
}

// String returns the name of k in contracts and logs.
func (k Kind) String() string {
	if k <= 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// MarshalText returns the name of k. It returns an error for invalid values.
func (k Kind) MarshalText() ([]byte, error) {
	if k <= 0 || int(k) >= len(kindNames) {
		return nil, fmt.Errorf("invalid question kind %d", int(k))
	}
	return []byte(kindNames[k]), nil
}

// UnmarshalText sets k to the kind with the given name.
func (k *Kind) UnmarshalText(text []byte) error {
	for i, name := range kindNames {
		if i > 0 && name == string(text) {
			*k = Kind(i)
			return nil
		}
	}
	return fmt.Errorf("invalid question kind %.40q", text)
}
