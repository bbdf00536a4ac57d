package conformance

import (
	"context"
	"fmt"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// ElicitInput holds the text of the question.
type ElicitInput struct {
	// Message is shown to the user.
	Message string `json:"message"`
}

// User is a person who registers.
type User struct {
	// Username is the name to sign in with.
	Username string `json:"username"`
	// Email is the address to write to.
	Email string `json:"email"`
}

// UserQuestions asks who the user is.
type UserQuestions struct {
	// User asks for a name and an address.
	User elicit.Form[User]
}

// Elicitation asks for several things at once.
//
//jp:tool name=test_elicitation readonly=true
func (c *Conformance) Elicitation(ctx context.Context, in ElicitInput, ask UserQuestions) (string, error) {
	user, err := ask.User.Ask(ctx, "%s", in.Message)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s <%s>", user.Username, user.Email), nil
}

// Status is the status of an account. The comments of the values repeat the values, because the
// suite requires an enum without titles.
type Status string

const (
	Active   Status = "active"   // active
	Inactive Status = "inactive" // inactive
	Pending  Status = "pending"  // pending
)

// Account describes an account. Each field has its usual value as the default.
type Account struct {
	// Name of the owner.
	Name string `json:"name" jsonschema:"default=John Doe"`
	// Age of the owner.
	Age int `json:"age" jsonschema:"default=30"`
	// Score of the owner.
	Score float64 `json:"score" jsonschema:"default=95.5"`
	// Status of the account.
	Status Status `json:"status" jsonschema:"default=active"`
	// Whether the account is verified.
	Verified bool `json:"verified" jsonschema:"default=true"`
}

// AccountQuestions asks for an account.
type AccountQuestions struct {
	// Account asks for the data of the account.
	Account elicit.Form[Account]
}

// Defaults asks a question with a default for each field.
//
//jp:tool name=test_elicitation_sep1034_defaults readonly=true
func (c *Conformance) Defaults(ctx context.Context, ask AccountQuestions) (string, error) {
	account, err := ask.Account.Ask(ctx, "What does the account look like?")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%+v", account), nil
}

// Name is the name of the user.
type Name struct {
	// Name of the user.
	Name string `json:"name" jsonschema:"minLength=1"`
}

// Color is the user's favorite color.
type Color struct {
	// Color that the user likes best.
	Color string `json:"color" jsonschema:"minLength=1"`
}

// Consent is an answer of yes or no.
type Consent struct {
	// Ok is the answer.
	Ok bool `json:"ok"`
}

// NameQuestions asks for a name.
type NameQuestions struct {
	// UserName asks who the user is.
	UserName elicit.Form[Name] `ask:"user_name"`
}

// RoundElicitation asks for the user's name and greets the user.
//
//jp:tool name=test_input_required_result_elicitation readonly=true
func (c *Conformance) RoundElicitation(ctx context.Context, ask NameQuestions) (string, error) {
	user, err := ask.UserName.Ask(ctx, "What is your name?")
	if err != nil {
		return "", err
	}
	return "Hello, " + user.Name + "!", nil
}

// ConsentQuestions asks for consent.
type ConsentQuestions struct {
	// Confirm asks whether to go on.
	Confirm elicit.Form[Consent]
}

// RoundState asks a question and requires the client to return the state of the round.
//
//jp:tool name=test_input_required_result_request_state readonly=true
//jp:fails state
func (c *Conformance) RoundState(ctx context.Context, ask ConsentQuestions) (string, error) {
	consent, err := ask.Confirm.Ask(ctx, "Go on?")
	if err != nil {
		return "", err
	}
	if !consent.Ok {
		return "", fault.New(fault.State, "the user said no")
	}
	return "state-ok", nil
}

// StepQuestions are two questions, asked one at a time.
type StepQuestions struct {
	// Step1 asks for a name.
	Step1 elicit.Form[Name] `ask:"step1"`
	// Step2 asks for a color.
	Step2 elicit.Form[Color] `ask:"step2"`
}

// RoundTwice asks in two rounds.
//
//jp:tool name=test_input_required_result_multi_round readonly=true
func (c *Conformance) RoundTwice(ctx context.Context, ask StepQuestions) (string, error) {
	user, err := ask.Step1.Ask(ctx, "Step 1: what is your name?")
	if err != nil {
		return "", err
	}
	favorite, err := ask.Step2.Ask(ctx, "Step 2: which color do you like best, %s?", user.Name)
	if err != nil {
		return "", err
	}
	return user.Name + " likes " + favorite.Color, nil
}
