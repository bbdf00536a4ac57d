package breaking

// A fact is a difference between two schemas, named by what became of the set of
// values that they allow. Whether it hurts depends on which way the values go, and
// is said by the rule that has the fact.
type fact int

const (
	added          fact = iota + 1 // a property, which may be left out
	addedRequired                  // a property, which may not
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
	closed // for undeclared names
	opened
	unjudged // keywords beyond those above
	reworded
)
