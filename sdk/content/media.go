package content

import (
	"errors"
	"fmt"
	"strings"
)

// An Image is a picture.
type Image struct {
	Data []byte
	// MIMEType is an image type, such as image/png. It is required.
	MIMEType    string
	Annotations Annotations
}

func (Image) kind() string         { return "image" }
func (i Image) text(_ bool) string { return note(i.MIMEType, len(i.Data)) }
func (i Image) check() error       { return checkMedia("image/", i.MIMEType, i.Data, i.Annotations) }

// An Audio is a sound. Clients before MCP 2025-03-26 receive a note instead.
type Audio struct {
	Data []byte
	// MIMEType is an audio type, such as audio/wav. It is required.
	MIMEType    string
	Annotations Annotations
}

func (Audio) kind() string         { return "audio" }
func (a Audio) text(_ bool) string { return note(a.MIMEType, len(a.Data)) }
func (a Audio) check() error       { return checkMedia("audio/", a.MIMEType, a.Data, a.Annotations) }

// checkMedia returns an error if the data is missing or the MIME type is not of the given family. It is
// strict because model APIs refuse a whole conversation that contains such a block.
func checkMedia(family, mimeType string, data []byte, a Annotations) error {
	switch {
	case mimeType == "":
		return errors.New("the MIME type is missing")
	case !strings.HasPrefix(mimeType, family):
		return fmt.Errorf("the MIME type %.40q does not start with %s", mimeType, family)
	case len(data) == 0:
		return errors.New("the data is empty")
	}
	return errors.Join(checkType(mimeType), a.check())
}

// note describes binary data where only text is possible.
func note(mimeType string, size int) string {
	if mimeType == "" {
		mimeType = "binary"
	}
	if size == 1 {
		return "[" + mimeType + ", 1 byte]"
	}
	return fmt.Sprintf("[%s, %d bytes]", mimeType, size)
}
