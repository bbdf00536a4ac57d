// Package questions has a question of every kind.
package questions

import (
	"context"
	"fmt"

	"github.com/jptool/jptool/sdk/elicit"
)

// Notes keeps notes.
//
//jp:server
type Notes struct{}

// ConfirmQuestions holds the question of Confirm.
type ConfirmQuestions struct {
	// Sure asks whether to continue.
	Sure elicit.Confirm
}

// Confirm asks for yes or no.
//
//jp:tool
func (Notes) Confirm(ctx context.Context, ask ConfirmQuestions) (bool, error) {
	return ask.Sure.Ask(ctx, "Delete all notes?")
}

// Order is an order of notes.
type Order string

// The orders.
const (
	ByTitle Order = "title" // Sort by title.
	ByDate  Order = "date"  // Sort by date.
)

// ChoiceQuestions holds the question of Choice.
type ChoiceQuestions struct {
	// Order asks how to sort.
	Order elicit.Choice[Order]
}

// Choice asks for one of the constants of a type.
//
//jp:tool
func (Notes) Choice(ctx context.Context, ask ChoiceQuestions) (Order, error) {
	return ask.Order.Ask(ctx, "How should the notes be sorted?")
}

// TextQuestions holds the questions of Text.
type TextQuestions struct {
	// Title asks for the title.
	Title elicit.Text `jsonschema:"minLength=1,maxLength=80,pattern=^[^#]"`
	// Day asks for the day of the note.
	Day elicit.Text `jsonschema:"format=date"`
}

// Text asks for text.
//
//jp:tool
func (Notes) Text(ctx context.Context, ask TextQuestions) (string, error) {
	title, err := ask.Title.Ask(ctx, "What is the title?")
	if err != nil {
		return "", err
	}
	day, err := ask.Day.Ask(ctx, "Which day is it about?")
	return title + ", " + day, err
}

// NumberQuestions holds the question of Number.
type NumberQuestions struct {
	// Copies asks how many copies to make.
	Copies elicit.Number `jsonschema:"minimum=1,maximum=9"`
}

// Number asks for a number.
//
//jp:tool
func (Notes) Number(ctx context.Context, ask NumberQuestions) (float64, error) {
	return ask.Copies.Ask(ctx, "How many copies?")
}

// PickQuestions holds the question of Pick.
type PickQuestions struct {
	// Note asks which note is meant.
	Note elicit.Pick
}

// Pick asks for one of several values that are only known at run time.
//
//jp:tool
func (Notes) Pick(ctx context.Context, ask PickQuestions) (string, error) {
	return ask.Note.Among("tea", "milk").Ask(ctx, "Which note?")
}

// OfferQuestions holds the question of Offer.
type OfferQuestions struct {
	// Note asks which note is meant.
	Note elicit.Pick
}

// Offer asks for one of several values that have titles.
//
//jp:tool
func (Notes) Offer(ctx context.Context, ask OfferQuestions) (string, error) {
	return ask.Note.Offer(
		elicit.Option{Value: "7f3a", Title: "Tea"},
		elicit.Option{Value: "91c0", Title: "Milk", Description: "Changed today."},
	).Ask(ctx, "Which note?")
}

// SeveralQuestions holds the question of Several.
type SeveralQuestions struct {
	// Orders asks how to sort.
	Orders elicit.Several[Order] `jsonschema:"minItems=1"`
}

// Several asks for any number of the constants of a type.
//
//jp:tool
func (Notes) Several(ctx context.Context, ask SeveralQuestions) ([]Order, error) {
	return ask.Orders.Ask(ctx, "How should the notes be sorted?")
}

// Print holds the settings of a printer.
type Print struct {
	// Copies to print.
	Copies int `json:"copies" jsonschema:"minimum=1,maximum=9" default:"1"`
	// Color controls whether to print in color.
	Color bool `json:"color"`
}

// FormQuestions holds the question of Form.
type FormQuestions struct {
	// Print asks how to print.
	Print elicit.Form[Print]
}

// Form asks for several values at once.
//
//jp:tool
func (Notes) Form(ctx context.Context, ask FormQuestions) (string, error) {
	p, err := ask.Print.Ask(ctx, "How should the notes be printed?")
	return fmt.Sprint(p.Copies, p.Color), err
}

// SecretQuestions holds the question of Secret.
type SecretQuestions struct {
	// Passphrase asks for the passphrase of the notes.
	Passphrase elicit.Secret `jsonschema:"minLength=8"`
}

// Secret asks for text that must not be shown.
//
//jp:tool
func (Notes) Secret(ctx context.Context, ask SecretQuestions) (bool, error) {
	text, err := ask.Passphrase.Ask(ctx, "What is the passphrase?")
	return text == "open sesame", err
}

// VisitQuestions holds the question of Visit.
type VisitQuestions struct {
	// SignIn sends the user to the sign-in page.
	SignIn elicit.Visit
}

// Visit sends the user to a web page.
//
//jp:tool
func (Notes) Visit(ctx context.Context, ask VisitQuestions) (string, error) {
	page := ask.SignIn.At("https://notes.example/sign-in")
	if _, err := page.Ask(ctx, "Sign in to your notes."); err != nil {
		return "", err
	}
	// Here, wait until your web server reports that this user has signed in.
	page.Done(ctx)
	return "signed in", nil
}
