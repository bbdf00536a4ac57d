// Package stripe has tools with types of another module.
package stripe

import (
	"context"
	"encoding/json"

	"github.com/stripe/stripe-go/v83"
)

// S serves.
//
//jp:server name=stripe
//jp:foreign stripe.* reason="Its module documents its API."
type S struct{}

// Value and Option are the result and the arguments.
var (
	Value  *stripe.Customer
	Option stripe.CustomerListParams
)

// Get0 gets.
//
//jp:tool
func (S) Get0(ctx context.Context) (*stripe.Customer, error) { return Value, nil }

// Put0 puts.
//
//jp:tool
func (S) Put0(ctx context.Context, in stripe.CustomerListParams) (string, error) {
	data, err := json.Marshal(&in)
	return string(data), err
}
