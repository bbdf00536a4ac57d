// Package parts declares structs that embed structs. Some of these are unexported, and fields or methods of the same
// name hide some of their fields.
package parts

// base is embedded in many structs.
type base struct {
	// ID of the base.
	ID string `json:"id"`
	// Count of the base.
	Count int `json:"count,omitempty"`
}

// other has a field with the same name as base.
type other struct {
	// ID of the other.
	ID string `json:"other_id"`
	// Note of the other.
	Note string `json:"note,omitempty"`
}

// deep embeds an unexported struct itself.
type deep struct {
	base
	// Deep value.
	Deep []string `json:"deep,omitempty"`
}

// Open is exported and embeds an unexported struct.
type Open struct {
	base
	// Open value.
	Open int `json:"open"`
}

// Node is embedded through pointers.
type Node struct {
	// Label of the node.
	Label string `json:"label"`
	// Weight of the node.
	Weight float64 `json:"weight,omitzero"`
}

// branch contains an embedded pointer.
type branch struct {
	*Node
	// Branch value.
	Branch string `json:"branch"`
}

// box is generic.
type box[T any] struct {
	// Item in the box.
	Item T `json:"item"`
}

// Plain promotes the fields of base.
type Plain struct {
	base
	// Own value.
	Own string `json:"own"`
}

// Excluded hides a public field with an excluded one.
type Excluded struct {
	base
	// ID is not part of the JSON.
	ID string `json:"-"`
}

// Renamed hides a field with one that has another JSON name.
type Renamed struct {
	base
	// ID of the outer struct.
	ID string `json:"outer_id"`
}

// Retyped hides fields with fields of other types.
type Retyped struct {
	base
	// ID of the outer struct.
	ID int `json:"outer_id,omitempty"`
	// Count is not part of the JSON.
	Count []string `json:"-"`
}

// Shadowed has a field with the same name in Go and in JSON.
type Shadowed struct {
	base
	// ID of the outer struct.
	ID string `json:"id"`
}

// Ambiguous embeds two structs with the same field.
type Ambiguous struct {
	base
	other
}

// Method has a method with the name of a promoted field.
type Method struct {
	base
	// Own value.
	Own string `json:"own,omitempty"`
}

// Count is not the field.
func (m *Method) Count() int { return -1 }

// TwoLevels embeds an unexported struct in an unexported struct.
type TwoLevels struct {
	deep
	// ID of the outer struct.
	ID string `json:"top,omitempty"`
}

// HiddenLevel hides the field of the inner struct at the second level.
type HiddenLevel struct {
	Open
	// Count is not part of the JSON.
	Count int `json:"-"`
}

// Mixed embeds exported and unexported structs that have the same field.
type Mixed struct {
	Open
	other
	// Note is not part of the JSON.
	Note string `json:"-"`
}

// Pointer embeds an exported struct through a pointer.
type Pointer struct {
	*Node
	// Label of the outer struct.
	Label string `json:"outer_label"`
}

// HiddenPointer hides an embedded pointer.
type HiddenPointer struct {
	branch
	// Node is not part of the JSON.
	Node string `json:"-"`
	// Branch is not part of the JSON.
	Branch int `json:"-"`
}

// PointerToOpen has an unexported struct behind a pointer.
type PointerToOpen struct {
	*Open
	// ID is not part of the JSON.
	ID string `json:"-"`
}

// Behind hides a field behind an embedded pointer.
type Behind struct {
	// ID is not part of the JSON.
	ID string `json:"-"`
	base
}

// PointerToBehind has a hidden field behind a pointer.
type PointerToBehind struct {
	*Behind
	// Own value.
	Own string `json:"own"`
}

// Generic embeds an instance of a generic struct.
type Generic struct {
	box[float64]
	// Item is not part of the JSON.
	Item string `json:"-"`
}

// Aliased is visible although its type is not.
type Aliased = base

// ByAlias embeds a struct by an exported name.
type ByAlias struct {
	Aliased
	// ID is not part of the JSON.
	ID string `json:"-"`
}

// Named gives the embedded struct a JSON name.
type Named struct {
	// Open is a named member.
	Open `json:"open_value"`
	// Open2 value.
	Open2 string `json:"open2,omitempty"`
}

// Optional has members with conditions behind hidden fields.
type Optional struct {
	conditional
	// Empty is not part of the JSON.
	Empty int `json:"-"`
	// Zero is not part of the JSON.
	Zero int `json:"-"`
	// Text is not part of the JSON.
	Text int `json:"-"`
	// Pair is not part of the JSON.
	Pair int `json:"-"`
	// Check is not part of the JSON.
	Check int `json:"-"`
	// Ref is not part of the JSON.
	Ref int `json:"-"`
}

type conditional struct {
	// Empty may be empty.
	Empty []string `json:"empty,omitempty"`
	// Zero may be nil.
	Zero []string `json:"zero,omitzero"`
	// Text may be empty.
	Text string `json:"text,omitempty"`
	// Pair may be zero.
	Pair Pair `json:"pair,omitzero"`
	// Check decides itself.
	Check Check `json:"check,omitzero"`
	// Ref may be nil.
	Ref *int `json:"ref,omitempty"`
}

// Pair is comparable.
type Pair struct {
	// A is a number.
	A int `json:"a"`
	// B is a number.
	B int `json:"b"`
}

// Check has its own zero value.
type Check struct {
	// N is a number.
	N int `json:"n"`
}

// IsZero reports whether N is odd.
func (c Check) IsZero() bool { return c.N%2 == 1 }
