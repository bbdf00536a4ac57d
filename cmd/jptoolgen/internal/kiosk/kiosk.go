// Package kiosk provides a server that uses every feature, for testing commands that connect to servers.
package kiosk

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gosdk"
	"github.com/jptool/jptool/sdk/tool"
)

//go:generate go tool jptoolgen

// Kiosk sells ice cream and reports its sales.
//
//jp:server name=kiosk
type Kiosk struct{}

// SoldOut means that a flavor is sold out.
const SoldOut fault.Code = "sold_out"

// Flavor is an ice cream flavor.
type Flavor string

const (
	Vanilla Flavor = "vanilla" // Vanilla ice cream.
	Lemon   Flavor = "lemon"   // Lemon ice cream.
)

// OrderInput describes the order.
type OrderInput struct {
	// Scoops of ice cream.
	Scoops int `json:"scoops" jsonschema:"minimum=1,maximum=9"`
	// Cup asks for a cup instead of a cone.
	Cup bool `json:"cup,omitempty"`
	// Toppings on the ice cream.
	Toppings []string `json:"toppings,omitempty" jsonschema:"maxItems=3"`
	// Account is the number of the account that pays.
	Account int64 `json:"account,omitempty"`
	// Note to the kitchen.
	Note string `json:"note,omitempty" jsonschema:"maxLength=200"`
}

// OrderQuestions are the questions of Order.
type OrderQuestions struct {
	// Flavor asks for the flavor.
	Flavor elicit.Choice[Flavor] `ask:"which-flavor"`
	// Name asks for the name to call when the order is ready.
	Name elicit.Text `jsonschema:"minLength=2,maxLength=20"`
	// Tip asks for a tip.
	Tip elicit.Number `jsonschema:"minimum=0,maximum=10"`
	// Pay asks for confirmation before payment.
	Pay elicit.Confirm
}

// OrderOptions configures orders.
//
//jp:options
type OrderOptions struct {
	// Trusted skips the questions about money.
	Trusted bool `json:"trusted,omitempty"`
}

// Order orders ice cream. It asks for the flavor, a name, a tip, and confirmation of the payment.
//
//jp:tool name=order title="Order ice cream" destructive=false
//jp:fails sold_out
func (k *Kiosk) Order(ctx context.Context, in OrderInput, ask OrderQuestions, opt OrderOptions) (string, error) {
	flavor, err := ask.Flavor.Ask(ctx, "Which flavor?")
	if err != nil {
		return "", err
	}
	name, err := ask.Name.Ask(ctx, "Who is it for?")
	if err != nil {
		return "", err
	}
	tip, pay := 0.0, true
	if !opt.Trusted {
		if tip, err = ask.Tip.Ask(ctx, "How much tip?"); err != nil {
			return "", err
		}
		if pay, err = ask.Pay.Preamble("Cards only.").Ask(ctx, "Pay for %d scoops of %s?", in.Scoops, flavor); err != nil {
			return "", err
		}
	}
	if !pay {
		return "", fault.New(SoldOut, "the payment was declined")
	}
	return fmt.Sprintf("%d scoops of %s for %s, tip %v, account %d, with %s", in.Scoops, flavor, name, tip, in.Account, strings.Join(in.Toppings, " and ")), nil
}

// Contact is the address of the customer.
type Contact struct {
	// Street and number.
	Street string `json:"street"`
	// Floor, if any.
	Floor int `json:"floor,omitempty"`
	// Ring asks the courier to ring the bell.
	Ring bool `json:"ring"`
}

// DeliverQuestions are the questions of Deliver.
type DeliverQuestions struct {
	// Contact asks for the address.
	Contact elicit.Form[Contact]
	// Window asks for the time.
	Window elicit.Pick
}

// Deliver sends ice cream to an address that it asks for.
//
//jp:tool name=deliver destructive=false
func (k *Kiosk) Deliver(ctx context.Context, ask DeliverQuestions) (string, error) {
	to, err := ask.Contact.Ask(ctx, "Where to?")
	if err != nil {
		return "", err
	}
	when, err := ask.Window.Among("noon", "night").Ask(ctx, "When?")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("to %s, floor %d, ring %t, at %s", to.Street, to.Floor, to.Ring, when), nil
}

// Ticket is a reservation of a table.
type Ticket struct {
	// Holder of the ticket.
	Holder string `json:"holder"`
	// Seats at the table.
	Seats int `json:"seats" jsonschema:"minimum=1,maximum=8,default=2"`
	// Place of the table.
	Place string `json:"place" jsonschema:"default=inside"`
	// Remark on the card.
	Remark string `json:"remark,omitempty"`
}

// ReserveInput holds the days for which to reserve tables.
type ReserveInput struct {
	// Days of the reservation.
	Days []string `json:"days" jsonschema:"minItems=1"`
}

// ReserveQuestions are the questions of Reserve.
type ReserveQuestions struct {
	// Sure asks for confirmation of each day.
	Sure elicit.Confirm
	// Ticket asks what goes on the ticket.
	Ticket elicit.Form[Ticket]
}

// Reserve reserves a table for each day that is confirmed.
//
//jp:tool name=reserve destructive=false
func (k *Kiosk) Reserve(ctx context.Context, in ReserveInput, ask ReserveQuestions) (string, error) {
	var days []string
	for _, day := range in.Days {
		sure, err := ask.Sure.For(day).Ask(ctx, "A table for %s?", day)
		if err != nil {
			return "", err
		}
		if sure {
			days = append(days, day)
		}
	}
	t, err := ask.Ticket.Ask(ctx, "What goes on the ticket?")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d seats %s for %s on %s, remark %q", t.Seats, t.Place, t.Holder, strings.Join(days, " and "), t.Remark), nil
}

// Sale describes a sale.
type Sale struct {
	// ID of the sale.
	ID int64 `json:"id"`
	// What is the product that was sold.
	What string `json:"what"`
}

// SaleInput holds the ID of the sale to return.
type SaleInput struct {
	// ID of the sale.
	ID int64 `json:"id" jsonschema:"minimum=1"`
}

// Sale returns a sale.
//
//jp:tool name=sale readonly=true
//jp:fails not_found
func (k *Kiosk) Sale(ctx context.Context, in SaleInput, call *tool.Call) (Sale, error) {
	call.Progress(1, 2, "looking it up")
	if in.ID == 13 {
		return Sale{}, fault.New(fault.NotFound, "there is no sale %d", in.ID)
	}
	return Sale{ID: in.ID, What: "ice"}, nil
}

// Main runs the kiosk with a resource and a prompt in addition to its contract.
func Main() {
	s := NewServer(&Kiosk{})
	gosdk.Server(s).AddResource(&mcp.Resource{URI: "kiosk://prices", Name: "prices", MIMEType: "text/plain", Description: "Price of a scoop."}, read)
	gosdk.Server(s).AddPrompt(&mcp.Prompt{Name: "greet", Description: "Greets a guest.", Arguments: []*mcp.PromptArgument{
		{Name: "guest", Description: "Who comes.", Required: true},
	}}, greet)
	sdk.Main(s)
}

func read(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: "one each"}}}, nil
}

func greet(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "Hello, " + req.Params.Arguments["guest"]}}}}, nil
}
