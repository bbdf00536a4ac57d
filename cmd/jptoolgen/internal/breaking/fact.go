package breaking

// A fact is a difference between two schemas, named after its effect on the set of allowed values. Whether a
// fact is breaking depends on whether the server receives or sends the values; the rule for the fact decides it.
type fact int

const (
	added          fact = iota + 1 // an optional property
	addedRequired                  // a required property
	removed                        // a property
	renamed                        // a property
	becameRequired                 // a property
	becameOptional                 // a property
	typeNarrowed
	typeWidened
	typeChanged // to other types
	valuesRemoved
	valuesAdded
	tightened // bounds of lengths, counts and numbers
	loosened
	formAdded // a pattern, format or encoding
	formDropped
	formChanged
	defaultAdded
	defaultChanged
	defaultRemoved
	closed // to undeclared names
	opened
	unjudged // a keyword that is not listed above
	reworded
)
