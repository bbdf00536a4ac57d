// Package answer uses answers, some of them without checking the error.
package answer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jptool/jptool/sdk/elicit"
)

type Mode string

type Questions struct {
	Go   elicit.Confirm
	Mode elicit.Choice[Mode]
	Name elicit.Text
	Size elicit.Form[struct{ Width int }]
	Page elicit.Visit
}

func remove(string) error { return nil }

func blank(ctx context.Context, ask Questions) error {
	yes, _ := ask.Go.Ask(ctx, "Go?") // want `JP701: the answer is used without checking its error; write if err != nil`
	if yes {
		return remove("x")
	}
	return nil
}

func overwritten(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP701: .* without checking its error`
	err = remove(name)
	return name, err
}

func late(ctx context.Context, ask Questions) error {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP701: the answer is used at line \d+ before its error`
	if remove(name) != nil {
		return errors.New("gone")
	}
	return err
}

func lateSwitch(ctx context.Context, ask Questions) error {
	mode, err := ask.Mode.For("x").Ask(ctx, "Mode?") // want `JP701: the answer is used at line \d+ before its error`
	switch mode {
	case "fast":
		return nil
	default:
		_ = remove("x")
	}
	return err
}

func inLiteral(ctx context.Context, ask Questions) {
	each := func(thing string) {
		yes, _ := ask.Go.For(thing).Ask(ctx, "Go?") // want `JP701: `
		if yes {
			_ = remove(thing)
		}
	}
	each("x")
}

func methodValue(ctx context.Context, ask Questions) string {
	f := ask.Name.Ask
	name, _ := f(ctx, "Name?") // want `JP701: `
	return name
}

func helped(ctx context.Context, ask Questions) error {
	name, _ := askName(ctx, ask) // want `JP701: the answer is used without checking its error`
	return remove(name)
}

func askName(ctx context.Context, ask Questions) (string, error) {
	mode, err := ask.Mode.Ask(ctx, "Mode?")
	if err != nil {
		return "", fmt.Errorf("asking: %w", err)
	}
	return string(mode), nil
}

func convertedEarly(ctx context.Context, ask Questions) error {
	mode, err := ask.Mode.Ask(ctx, "Mode?") // want `JP701: the answer is used at line \d+ before its error`
	if e := remove(string(mode)); e != nil {
		return e
	}
	return err
}

func printed(ctx context.Context, ask Questions) error {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP701: `
	fmt.Println("creating", name)
	return err
}

func trimmedEarly(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP701: `
	name = strings.TrimSpace(name)
	if err != nil {
		return "", err
	}
	return name, nil
}

func unused(ctx context.Context, ask Questions) error {
	if _, err := ask.Go.For("a").Ask(ctx, "Go?"); err != nil { // want `JP727: the answer is not used, so the handler continues even if the user says no; write ok, err := …, and return if !ok`
		return err
	}
	yes, err := ask.Go.For("b").Ask(ctx, "Go?")
	if err != nil || !yes {
		return err
	}
	yes, err = ask.Go.For("c").Ask(ctx, "Go?") // want `JP727: `
	if err != nil {
		return err
	}
	return remove("x")
}

func unusedFromHelper(ctx context.Context, ask Questions) error {
	_, err := handedOn(ctx, ask) // want `JP727: `
	return err
}

func unusedPart(ctx context.Context, ask Questions) error {
	var yes bool
	return elicit.Together(ctx,
		ask.Go.For("a").Into(&yes, "Go?"),      // want `JP727: `
		ask.Go.For("b").Into(new(bool), "Go?")) // want `JP727: `
}

// The following code has no findings.

func used(ctx context.Context, ask Questions) (all []bool, ok bool, err error) {
	if _, err := ask.Page.At("https://example.com").Ask(ctx, "Sign in."); err != nil {
		return nil, false, err
	}
	if _, err := ask.Name.Ask(ctx, "Name?"); err != nil {
		return nil, false, err
	}
	if _, err := signIn(ctx, ask); err != nil {
		return nil, false, err
	}
	var yes, other bool
	err = elicit.Together(ctx,
		ask.Go.For("a").Into(&yes, "Go?"), ask.Go.For("b").Into(&other, "Go?"), ask.Page.For("c").At("https://example.com").Into(new(bool), "Sign in."))
	if err != nil || !yes || func() bool { return !other }() {
		return nil, false, err
	}
	sure := struct{ ok bool }{}
	if sure.ok, err = ask.Go.For("d").Ask(ctx, "Go?"); err != nil {
		return nil, false, err
	}
	all = append(all, sure.ok)
	ok, err = ask.Go.For("e").Ask(ctx, "Go?")
	return
}

func convertedOn(ctx context.Context, ask Questions) (string, error) {
	mode, err := ask.Mode.Ask(ctx, "Mode?")
	return string(mode), err
}

func printedOn(ctx context.Context, ask Questions, dir string) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	return fmt.Sprintf("%s/%s", dir, name), err
}

func countedOn(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	return fmt.Sprintf("%d characters", len(name)), err
}

func fieldOn(ctx context.Context, ask Questions) (int64, error) {
	size, err := ask.Size.Ask(ctx, "Size?")
	return int64(size.Width), err
}

func helpedWell(ctx context.Context, ask Questions) error {
	name, err := askName(ctx, ask)
	if err != nil {
		return err
	}
	return remove(name)
}

func signIn(ctx context.Context, ask Questions) (bool, error) {
	return ask.Page.For("b").At("https://example.com").Ask(ctx, "Sign in.")
}

func handedOn(ctx context.Context, ask Questions) (bool, error) { return ask.Go.Ask(ctx, "Go?") }

func looked(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	if err != nil {
		return "", fmt.Errorf("asking: %w", err)
	}
	return name, remove(name)
}

func together(ctx context.Context, ask Questions) error {
	if yes, err := ask.Go.Ask(ctx, "Go?"); err != nil || !yes {
		return err
	}
	return remove("x")
}

func yesFirst(ctx context.Context, ask Questions) error {
	yes, err := ask.Go.Ask(ctx, "Go?")
	if yes && err == nil {
		return remove("x")
	}
	return err
}

func returned(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	return name, err
}

func dealt(ctx context.Context, ask Questions) (int, error) {
	size, err := ask.Size.Ask(ctx, "Size?")
	if elicit.Acknowledge(err) {
		return 1, nil
	}
	if err != nil {
		return 0, err
	}
	return size.Width, nil
}

func named(ctx context.Context, ask Questions) (name string, err error) {
	defer func() { _ = remove(name) }()
	name, err = ask.Name.Ask(ctx, "Name?")
	if err != nil {
		return "", err
	}
	return name, nil
}

// text is not a question, although it has a method Ask.
type text struct{}

func (text) Ask(context.Context, string) (string, error) { return "", nil }

func another(ctx context.Context) string {
	answer, _ := text{}.Ask(ctx, "x")
	return answer
}
