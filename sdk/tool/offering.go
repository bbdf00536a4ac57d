package tool

import "github.com/jptool/jptool/sdk/content"

// A Listed is a resource in the list of a template. A method with //jp:list returns a [Page] of them. In is the struct
// of the template's variables, from which the runtime makes the URI.
type Listed[In any] struct {
	Variables          In
	Name               string // required
	Title, Description string // shown to people; "" means none
	MIMEType           string // "" means the MIME type of the template
	Size               int64  // in bytes; 0 means unknown
	Annotations        content.Annotations
}

// A Change says that a resource has changed. A method with //jp:watch reports changes. In is the struct of the
// template's variables, or struct{} for a resource whose URI has none.
type Change[In any] struct {
	Variables In
	// List means that the resource was added to the list or removed from it. Otherwise its content has changed.
	List bool
}

// A Completion is a request to complete the value of an argument of a prompt, or of a variable of a template. A method
// with //jp:complete takes one. In is the struct of the arguments or variables.
type Completion[In any] struct {
	// Value is what the user has typed so far, which may be "".
	Value string
	// Arguments has the values that the user has already chosen. Those that are missing or invalid are zero.
	Arguments In
}

// Completions are the values that a method with //jp:complete suggests, best first. Clients receive at most 100.
type Completions struct {
	Values []string
	// Total is the number of values that exist, or 0 if it is len(Values) or unknown.
	Total int
	// HasMore means that there are more values than these, even if their number is unknown.
	HasMore bool
}
