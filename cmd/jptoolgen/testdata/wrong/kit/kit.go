// Package kit declares the types that the wrong programs share.
package kit

import "github.com/jptool/jptool/sdk/elicit"

// Thing names a thing to save.
type Thing struct {
	// Name of the thing.
	Name string `json:"name"`
}

// Things names several things.
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

// How says what to do with a thing that exists.
type How string

const (
	Keep    How = "keep"    // Keep it.
	Replace How = "replace" // Replace it.
)

// Sure has a question to ask before an action.
type Sure struct {
	// Sure asks whether to go on.
	Sure elicit.Confirm
}

// Name has a question for a name.
type Name struct {
	// Name asks for a name.
	Name elicit.Text
}

// Both has two questions.
type Both struct {
	// Sure asks whether to go on.
	Sure elicit.Confirm
	// Name asks for a name.
	Name elicit.Text
}

// Hows has a choice.
type Hows struct {
	// How asks what to do.
	How elicit.Choice[How]
}

// Picks has a pick.
type Picks struct {
	// Pick asks which one.
	Pick elicit.Pick
}

// Details of a thing.
type Details struct {
	// Title of the thing.
	Title string `json:"title"`
	// Pages is the number of its pages.
	Pages int `json:"pages" jsonschema:"minimum=1,maximum=9"`
}

// Forms has a form.
type Forms struct {
	// Details asks for the details.
	Details elicit.Form[Details]
}

// Options are the options of a tool.
//
//jp:options
type Options struct {
	// Quick skips questions.
	Quick bool `json:"quick,omitempty"`
}
