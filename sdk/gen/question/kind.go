package question

// A Kind is the kind of answer that a question accepts. Contracts and logs contain its text.
type Kind string

// The kinds of questions.
const (
	KindConfirm Kind = "confirm" // true or false
	KindChoice  Kind = "choice"  // one of the constants of a Go type
	KindText    Kind = "text"    // a string
	KindNumber  Kind = "number"  // a number
	KindPick    Kind = "pick"    // one value from a list that is built at run time
	KindForm    Kind = "form"    // a flat object
	KindSecret  Kind = "secret"  // a string that is not shown
	KindSeveral Kind = "several" // any of the constants of a Go type
	KindVisit   Kind = "visit"   // true if the user opens a page
)
