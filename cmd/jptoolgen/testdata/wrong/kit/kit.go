// Package kit is what the wrong programs have in common.
package kit

import "github.com/jptool/jptool/sdk/elicit"

// Thing is what is saved.
type Thing struct {
	// Name of the thing.
	Name string `json:"name"`
}

// Things are several.
type Things struct {
	// Names of the things.
	Names []string `json:"names"`
}

// File is a file.
type File struct {
	// Path of the file.
	Path string `json:"path"`
}

// Page is a page on the web.
type Page struct {
	// URL of the page.
	URL string `json:"url"`
}

// How is what to do with what is there.
type How string

const (
	Keep    How = "keep"    // Keep it.
	Replace How = "replace" // Replace it.
)

// Sure is asked before something is done.
type Sure struct {
	// Sure asks whether to go on.
	Sure elicit.Confirm
}

// Name is asked for.
type Name struct {
	// Name asks for a name.
	Name elicit.Text
}

// Both are asked for.
type Both struct {
	// Sure asks whether to go on.
	Sure elicit.Confirm
	// Name asks for a name.
	Name elicit.Text
}

// Hows is a choice.
type Hows struct {
	// How asks what to do.
	How elicit.Choice[How]
}

// Picks is one of several.
type Picks struct {
	// Pick asks which one.
	Pick elicit.Pick
}

// Details of a thing.
type Details struct {
	// Title of it.
	Title string `json:"title"`
	// Pages it has.
	Pages int `json:"pages" jsonschema:"minimum=1,maximum=9"`
}

// Forms is several at once.
type Forms struct {
	// Details asks for them.
	Details elicit.Form[Details]
}

// Options is what is configured.
//
//jp:options
type Options struct {
	// Quick skips questions.
	Quick bool `json:"quick,omitempty"`
}
