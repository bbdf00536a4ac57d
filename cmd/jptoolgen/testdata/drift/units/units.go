// Package units has types for others.
package units

// Page is a page, which no other package can write as a literal.
type Page struct {
	// Limit is a limit.
	Limit int  `json:"limit,omitempty" jsonschema:"maximum=100"`
	known bool `json:"-"`
}

// Open is a page that every package can write.
type Open struct {
	// Offset is an offset.
	Offset int `json:"offset,omitempty" jsonschema:"maximum=100"`
}
