package lost

import (
	"context"
	"errors"

	"github.com/jptool/jptool/sdk/elicit"
)

func setTrue(ctx context.Context, ask Questions) (bool, error) {
	ok, err := ask.Go.Ask(ctx, "Go?") // want `JP711: `
	if err != nil {
		ok = true // want `JP712: the answer is set although the question was not answered; return the error, or continue as if the user answered no`
	}
	return ok, nil
}

func declinedIsYes(ctx context.Context, ask Questions) (bool, error) {
	ok, err := ask.Go.Ask(ctx, "Go?") // want `JP711: `
	if errors.Is(err, elicit.ErrDeclined) {
		ok = true // want `JP712: `
	}
	return ok, nil
}

func toldAndTrue(ctx context.Context, ask Questions) (string, error) {
	ok, err := ask.Go.Ask(ctx, "Go?")
	if elicit.Acknowledge(err) {
		ok, err = true, nil // want `JP712: `
	}
	if err != nil || !ok {
		return "no", err
	}
	return "yes", nil
}

func defaulted(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	switch {
	case elicit.Acknowledge(err):
		name = "untitled" // want `JP712: `
	case err != nil:
		return "", err
	}
	return name, nil
}

func consented(ctx context.Context, ask Questions) (string, error) {
	sure := true
	if ok, err := ask.Go.Ask(ctx, "Go?"); err != nil { // want `JP712: the answer is treated as yes although the question was not answered`
		elicit.Acknowledge(err)
	} else {
		sure = ok
	}
	if sure {
		return "yes", nil
	}
	return "no", nil
}

func yesByHelper(ctx context.Context, ask Questions) bool {
	ok, err := ask.Go.Ask(ctx, "Go?") // want `JP712: the answer is treated as yes`
	if err != nil {
		elicit.Acknowledge(err)
		return true
	}
	return ok
}

func otherwise(ctx context.Context, ask Questions) (Mode, error) {
	mode, err := ask.Mode.Ask(ctx, "Mode?")
	if err == nil {
		return mode, nil
	} else {
		elicit.Acknowledge(err)
		mode = "fast" // want `JP712: `
	}
	return mode, nil
}

// The following code has no findings.

func setFalse(ctx context.Context, ask Questions) (string, error) {
	ok, err := ask.Go.Ask(ctx, "Go?")
	if err != nil {
		elicit.Acknowledge(err)
		ok = false
	}
	if ok {
		return "yes", nil
	}
	return "no", nil
}

func changedLater(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	if err != nil {
		return "", err
	}
	if name == "" {
		name = "untitled"
	}
	if err := work(); err != nil {
		name = "broken"
	}
	return name, nil
}
