// Package magic compares arguments with strings that its schemas do not list.
package magic

import "context"

// Server follows RFC-010.
//
//jp:server envelope=true conventions=rfc010
type Server struct{}

// Format is an image format.
type Format string

const (
	JPEG Format = "jpeg" // As JPEG.
	PNG  Format = "png"  // As PNG.
)

// Input holds arguments.
type Input struct {
	// ImageID is the image.
	ImageID string `json:"image_id"`
	// Ref is a version of the image.
	Ref *string `json:"ref,omitempty"`
	// Format is an image format.
	Format Format `json:"format" jsonschema:"default=png"`
	// Note is any text.
	Note string `json:"note" jsonschema:"default=none"`
}

// Export exports an image.
//
//jp:tool readonly=true
func (Server) Export(ctx context.Context, in Input) (string, error) {
	if in.Ref != nil && *in.Ref == "head" { // want `JP607: argument ref is compared with "head", which its schema does not list; declare a string type with a constant for each value`
		return "head", nil
	}
	switch in.Note {
	case "none": // want `JP607: argument note is compared with "none"`
		return "", nil
	case "":
		return "", nil
	}
	if in.Format == JPEG || in.ImageID == in.Note {
		return "jpeg", nil
	}
	return in.Note, nil
}
