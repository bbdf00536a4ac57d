package conformance

import (
	"context"
	"fmt"

	"github.com/jptool/jptool/sdk/elicit"
)

// Address is an address of a person.
type Address struct {
	Street string `json:"street,omitempty"`
	City   string `json:"city,omitempty"`
}

// ContactMethod is a way to reach a person.
type ContactMethod string

const (
	ByPhone ContactMethod = "phone" // By phone.
	ByEmail ContactMethod = "email" // By email.
)

// ContactInput describes how to reach a person.
type ContactInput struct {
	Name          string        `json:"name,omitempty"`
	Address       Address       `json:"address,omitzero"`
	ContactMethod ContactMethod `json:"contactMethod,omitempty"`
	Phone         string        `json:"phone,omitempty"`
	Email         string        `json:"email,omitempty"`
}

// Contact has a schema with many keywords of JSON Schema.
//
//jp:tool name=json_schema_2020_12_tool readonly=true schema=exact
//jp:allow JP214 reason="the suite requires these keywords"
func (c *Conformance) Contact(context.Context, ContactInput) (string, error) { return "valid", nil }

// RegionInput holds an argument that HTTP requests repeat in a header.
type RegionInput struct {
	// Region of the service.
	Region string `json:"region,omitempty"`
	// Level of detail.
	Level int `json:"level,omitempty"`
}

// Region has an argument that HTTP requests repeat in a header.
//
//jp:tool name=test_x_mcp_header readonly=true schema=exact
//jp:allow JP214 reason="the suite requires these keywords"
func (c *Conformance) Region(context.Context, RegionInput) (string, error) { return "heard", nil }

// SealedQuestions ask whether to go on.
type SealedQuestions struct {
	// Confirm asks whether to go on.
	Confirm elicit.Form[Consent]
}

// Sealed rejects a state that was changed. The suite calls it by its other name, which is longer than the names of tools.
//
//jp:tool name=test_tampered_state readonly=true
//jp:alias test_input_required_result_tampered_state until=2099-12-31
func (c *Conformance) Sealed(ctx context.Context, ask SealedQuestions) (string, error) {
	consent, err := ask.Confirm.Ask(ctx, "Go on?")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("state-ok (%t)", consent.Ok), nil
}
