// Package allow allows findings.
package allow

import (
	"context"
	"os"

	"github.com/jptool/jptool/sdk/elicit"
)

func behind(ctx context.Context, ask elicit.Text) error {
	_ = os.Remove("x") //jp:allow JP704 reason="it is only a cache"
	_ = os.Remove("x") // want `JP704: `
	_, err := ask.Ask(ctx, "Go?")
	return err
}

// save writes a cache.
//
//jp:allow JP704 reason="it is only a cache"
func save() error { return os.WriteFile("x", nil, 0o600) }

func drop() error {
	return os.Remove("x") //jp:allow JP704 reason="it is only a cache"
}

func cached(ctx context.Context, ask elicit.Text) error {
	if err := save(); err != nil {
		return err
	}
	if err := drop(); err != nil {
		return err
	}
	_, err := ask.Ask(ctx, "Go?")
	return err
}

func above(ctx context.Context, ask elicit.Text) error {
	//jp:allow JP704 reason="it is only a cache"
	_ = os.Remove("x")
	// want +1 `JP710: //jp:allow JP701 does not match any finding; delete it`
	//jp:allow JP701 reason="this is not what is found"
	_ = os.Remove("x") // want `JP704: `
	// want +1 `JP103: JP404 is not a code that //jp:allow accepts; write one of JP204, JP214, JP401, JP402, JP501, `
	//jp:allow JP404 reason=no
	// want +1 `JP103: the rule of JP703 was removed; delete the code, because a call that asks a question with a context`
	//jp:allow JP703 reason=no
	// want +1 `JP106: //jp:allow requires reason`
	//jp:allow JP704
	_, err := ask.Ask(ctx, "Go?")
	return err
}
