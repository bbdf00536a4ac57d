// Package tags has every struct tag and every keyword of one.
package tags

import (
	"context"
	"time"

	"github.com/jptool/jptool/sdk/elicit"
)

// Notes keeps notes.
//
//jp:server
type Notes struct{}

// FindInput holds the arguments of Find.
type FindInput struct {
	// Text to find.
	Text string `json:"text" jsonschema:"title=Text,minLength=1,maxLength=100,pattern=^[^\n]*$,example=tea,examples=milk"`
	// Page is the address of a web page in the note.
	Page string `json:"page,omitempty" jsonschema:"format=uri,description=Address of a web page in the note."`
	// Tags that a note must have.
	Tags []string `json:"tags,omitempty" jsonschema:"minItems=1,maxItems=10,single,uniqueItems"`
	// Fields that a note must have.
	Fields map[string]string `json:"fields,omitempty" jsonschema:"minProperties=1,maxProperties=5"`
	// Limit is the maximum number of notes to return.
	Limit int `json:"limit" jsonschema:"minimum=1,maximum=100,multipleOf=5,number" default:"20"`
	// Score that a note must have.
	Score float64 `json:"score" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1,default=0.5"`
	// Where is an additional condition.
	Where Filter `json:"where,omitzero"`
	// After is the number of the last note that is known.
	After int64 `json:"after,string" default:"0"`
	// Words is not a parameter.
	Words int `json:"-"`
}

// Filter is a condition.
type Filter struct {
	// Word that a note must have.
	Word string `json:"word,omitempty"`
	// Not lists conditions that must not hold. Conditions can be nested to three levels.
	Not []Filter `json:"not,omitempty" jsonschema:"depth=3"`
}

// FindQuestions holds the questions of Find.
type FindQuestions struct {
	// Archive asks whether to search the archive.
	Archive elicit.Confirm `ask:"search-archive" default:"false"`
	// Secret asks whether to search secret notes. A person must answer.
	Secret elicit.Confirm `ask:",exclusive"`
	// Password asks for the password. The answer must come from a person or from the host's own store.
	Password elicit.Secret `ask:"password,exclusive=host" jsonschema:"minLength=8"`
	// Folder asks whether to search a folder. One answer may apply to all folders.
	Folder elicit.Confirm `ask:"folder,subjects"`
	// Order asks how to sort. A model may ask its user.
	Order elicit.Text `ask:"order,relay"`
	// Move asks whether to move the notes that were found. A model may also ask its user.
	Move elicit.Confirm `ask:"move,relay=destructive"`
	// Reminder asks when to show the notes again.
	Reminder elicit.Form[Reminder]
}

// Reminder sets when to show notes again.
type Reminder struct {
	// Title of the reminder.
	Title string `json:"title" jsonschema:"minLength=1,maxLength=80,pattern=^[^#]"`
	// Day of the reminder.
	Day string `json:"day" jsonschema:"format=date"`
	// Until is the time after which the reminder is not shown.
	Until string `json:"until,omitempty" jsonschema:"format=date-time"`
	// Mail is the address to send the reminder to.
	Mail string `json:"mail" jsonschema:"format=email"`
	// Page to open.
	Page string `json:"page,omitempty" jsonschema:"format=uri,description=Page to open with the reminder."`
	// Times is the number of times to show the reminder.
	Times int `json:"times" jsonschema:"minimum=1,maximum=9,default=1"`
}

// Found is the result of Find.
type Found struct {
	// Titles of the notes.
	Titles []string `json:"titles"`
	// Next is the cursor of the next page. The last page has none.
	Next string `json:"next,omitempty"`
	// Total is the number of notes.
	Total int `json:"total,string"`
	// Changed is the time of the last change. It is omitted if it is zero.
	Changed time.Time `json:"changed,omitzero"`
}

// Find finds notes.
//
//jp:tool
func (Notes) Find(ctx context.Context, in FindInput, ask FindQuestions) (Found, error) {
	archive, err := ask.Archive.Ask(ctx, "Search the archive?")
	if err != nil {
		return Found{}, err
	}
	secret, err := ask.Secret.Ask(ctx, "Search secret notes?")
	if err != nil {
		return Found{}, err
	}
	if _, err := ask.Password.Ask(ctx, "What is the password?"); err != nil {
		return Found{}, err
	}
	var titles []string
	for _, folder := range in.Tags {
		ok, err := ask.Folder.For(folder).Ask(ctx, "Search %s?", folder)
		if err != nil {
			return Found{}, err
		}
		if ok {
			titles = append(titles, search(folder, archive, secret)...)
		}
	}
	if _, err := ask.Order.Ask(ctx, "In which order should the notes be listed?"); err != nil {
		return Found{}, err
	}
	ok, err := ask.Move.Ask(ctx, "Move them to the archive?")
	if err != nil {
		return Found{}, err
	}
	if ok {
		move(titles)
	}
	if _, err := ask.Reminder.Ask(ctx, "When should the notes be shown again?"); err != nil {
		return Found{}, err
	}
	return Found{Titles: titles}, nil
}

// search returns the titles of the notes in a folder.
func search(folder string, archive, secret bool) []string { return nil }

// move moves notes to the archive.
func move(titles []string) {}
