// Package pick asks for one of several values.
package pick

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"
)

// Server is the server of this package.
//
//jp:server clients=mcp
type Server struct{}

// Questions are the questions of a tool.
type Questions struct {
	// Pick asks for one of the values.
	Pick elicit.Pick
	// Other asks for another value.
	Other elicit.Pick
	// Page sends the user to a page.
	Page elicit.Visit
}

// Input holds arguments.
type Input struct {
	// Names to pick from.
	Names []string `json:"names"`
}

// Do asks for values.
//
//jp:tool
func (Server) Do(ctx context.Context, in Input, ask Questions) (string, error) {
	if _, err := ask.Pick.Ask(ctx, "Which?"); err != nil { // want `JP725: the question has no values to pick from; pass distinct values to Among or Offer`
		return "", err
	}
	if _, err := ask.Pick.For("x").Default("a").Ask(ctx, "Which?"); err != nil { // want `JP725: the question has no values`
		return "", err
	}
	if _, err := ask.Pick.For("y").Among().Ask(ctx, "Which?"); err != nil { // want `JP725: the question has no values`
		return "", err
	}
	if _, err := ask.Pick.For("z").Among("a", "").Ask(ctx, "Which?"); err != nil { // want `JP725: the question offers an empty value`
		return "", err
	}
	if _, err := ask.Pick.For("w").Among("a", "b", "a").Preamble("x").Ask(ctx, "Which?"); err != nil { // want `JP725: the question offers "a" twice`
		return "", err
	}
	if _, err := ask.Pick.For("v").Offer().Ask(ctx, "Which?"); err != nil { // want `JP725: the question has no values`
		return "", err
	}
	if _, err := ask.Pick.For("u").Offer(elicit.Option{Value: "a", Title: "A"}).Ask(ctx, "Which?"); err != nil {
		return "", err
	}
	if _, err := ask.Page.Ask(ctx, "Sign in."); err != nil { // want `JP726: the question has no URL; call At with its URL`
		return "", err
	}
	if _, err := ask.Page.For("x").Preamble("a").Ask(ctx, "Sign in."); err != nil { // want `JP726: the question has no URL`
		return "", err
	}
	if _, err := ask.Page.For("y").At("").Ask(ctx, "Sign in."); err != nil { // want `JP726: the question has an empty URL`
		return "", err
	}
	if err := elicit.Together(ctx, ask.Page.For("z").Into(new(bool), "Sign in."), ask.Pick.For("t").Into(new(string), "Which?")); err != nil { // want `JP726: the question has no URL` `JP725: the question has no values`
		return "", err
	}
	return well(ctx, in, ask)
}

// The following code has no findings.

type asker struct{ pick elicit.Pick }

func (a asker) ask(ctx context.Context) (string, error) { return a.pick.Ask(ctx, "Which?") }

func given(ctx context.Context, ask elicit.Pick) (string, error) { return ask.Ask(ctx, "Which?") }

func well(ctx context.Context, in Input, ask Questions) (string, error) {
	if _, err := ask.Other.Among(in.Names...).Ask(ctx, "Which?"); err != nil {
		return "", err
	}
	if _, err := given(ctx, ask.Other.For("x").Among("a", "b")); err != nil {
		return "", err
	}
	page := ask.Page.At("https://example.com/" + in.Names[0])
	if _, err := page.For("a").Ask(ctx, "Sign in."); err != nil {
		return "", err
	}
	page.Done(ctx)
	pick := ask.Other
	if len(in.Names) > 0 {
		pick = pick.Among(append(in.Names, "none")...)
	} else {
		pick = pick.Among("none")
	}
	if _, err := pick.For("y").Ask(ctx, "Which?"); err != nil {
		return "", err
	}
	return asker{ask.Other.For("z").Among("a")}.ask(ctx)
}
