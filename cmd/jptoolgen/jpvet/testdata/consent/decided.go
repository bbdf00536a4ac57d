package consent

import (
	"context"
	"errors"
	"log"
	"os"
)

func keep(string) error { return nil }

func setVariable(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs at line \d+ even if`
	mode := 0
	if ok {
		mode = 1
	}
	if mode == 0 {
		_ = os.Remove(n)
	}
	return err
}

func setText(ctx context.Context, ask Questions, n string) error {
	how, err := ask.How.Ask(ctx, "How?") // want `JP701: os.Remove runs`
	act := "remove"
	switch how {
	case Keep:
		act = "keep"
	case Remove:
	}
	switch act {
	case "remove":
		_ = os.Remove(n)
	}
	return err
}

func functionInVariable(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: .*os.Remove,? runs`
	act := os.Remove
	if ok {
		act = keep
	}
	return errors.Join(act(n), err)
}

func functionInList(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: .*os.Remove,? runs`
	i := 1
	if ok {
		i = 0
	}
	return errors.Join([]func(string) error{keep, os.Remove}[i](n), err)
}

func functionsInLoop(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: .*os.Remove,? runs`
	var all []func(string) error
	if !ok {
		all = append(all, os.Remove)
	}
	for _, act := range all {
		_ = act(n)
	}
	return err
}

var actions = map[string]func(string) error{"keep": keep, "remove": remove}

func functionInMap(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: remove, which calls os.Remove|JP701: os.Remove runs`
	act := "remove"
	if ok {
		act = "keep"
	}
	return errors.Join(actions[act](n), err)
}

func argument(ctx context.Context, ask Questions, n, other string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	if ok {
		n = other
	}
	_ = os.Remove(n)
	return err
}

// The following code has no findings.

func harmlessInVariable(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	act := keep
	if ok {
		act = os.Remove
	}
	return errors.Join(act(n), err)
}

func harmlessInList(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	i := 0
	if ok {
		i = 1
	}
	return errors.Join([]func(string) error{keep, os.Remove}[i](n), err)
}

func harmlessInMap(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	act := "keep"
	if ok {
		act = "remove"
	}
	return errors.Join(actions[act](n), err)
}

func harmlessLoop(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	var all []func(string) error
	if ok {
		all = append(all, os.Remove)
	}
	for _, act := range all {
		_ = act(n)
	}
	return err
}

func yesInVariable(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	mode := "keep"
	if ok {
		mode = "remove"
	}
	if mode == "remove" {
		return os.Remove(n)
	}
	log.Print("kept")
	return err
}

func emptyBeforeCheck(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	if len(name) == 0 {
		return "", err
	}
	return "saved as " + name, os.Remove(name)
}

func noneBeforeCheck(ctx context.Context, ask Questions) (string, error) {
	which, err := ask.Which.Ask(ctx, "Which?")
	if len(which) > 0 {
		return string(which[0]), os.Remove(string(which[0]))
	}
	if err != nil {
		return "", err
	}
	return "none", nil
}

func shortName(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	if err != nil || len(name) < 3 {
		return "", errors.Join(err, errors.New("too short"))
	}
	return name, nil
}

func negatedVariable(ctx context.Context, ask Questions, n string, force bool) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	wanted := ok || force
	unwanted := !wanted
	if unwanted {
		_ = os.Remove(n)
	}
	return err
}

func nestedAfterYes(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	if ok && err == nil {
		return nil
	}
	if n != "" {
		_ = os.Remove(n)
	}
	return err
}

func unrelated(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if !ok {
		log.Print("kept")
	}
	if n == "" {
		_ = os.Remove("empty")
	}
	return err
}

func conditionsInCircle(ctx context.Context, ask Questions, n string, a, b bool) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	for i := 0; i < 3; i++ {
		for a || b {
			a = b && a || ok
			b = !a && b
		}
		b = a || b && i > 0
	}
	if err != nil {
		return err
	}
	if a || b {
		return os.Remove(n)
	}
	return nil
}
