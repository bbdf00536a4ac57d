// Package formats asks with formats that do not fit their arguments.
package formats

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"
)

type color string

type questions struct {
	confirm elicit.Confirm
	choice  elicit.Choice[color]
	text    elicit.Text
	number  elicit.Number
	pick    elicit.Pick
	form    elicit.Form[struct{}]
	secret  elicit.Secret
	visit   elicit.Visit
}

func ask(ctx context.Context, q questions) {
	_, _ = q.confirm.Ask(ctx, "%d", "confirm")
	_, _ = q.choice.Ask(ctx, "%d", "choice")
	_, _ = q.text.For("x").Ask(ctx, "%d", "text")
	_, _ = q.number.Ask(ctx, "%d", "number")
	_, _ = q.pick.Among("a").Ask(ctx, "%d", "pick")
	_, _ = q.form.Ask(ctx, "%d", "form")
	_, _ = q.secret.Ask(ctx, "%d", "secret")
	_, _ = q.visit.At("https://example.com").Ask(ctx, "%d", "visit")
	_ = q.text.Into(new(string), "%d", "part")
}
