package effects

import (
	"context"
	"os"
)

func inDeferred(ctx context.Context, ask Questions) (err error) {
	defer func() {
		if err = os.Remove("x"); err != nil { // want `JP704: os.Remove runs before the question at line 13`
			return
		}
		err = confirmed(ctx, ask)
	}()
	return nil
}

func beforeDeferred(ctx context.Context, ask Questions) (err error) {
	defer func() { err = confirmed(ctx, ask) }()
	return os.Remove("x") // want `JP704: os.Remove runs before the question at line 19`
}

func aroundDeferred(ctx context.Context, ask Questions) (err error) {
	if err := os.Mkdir("x", 0o700); err != nil { // want `JP704: os.Mkdir runs before`
		return err
	}
	defer func() {
		if err == nil {
			err = confirmed(ctx, ask)
		}
	}()
	if err := os.WriteFile("x/y", nil, 0o600); err != nil { // want `JP704: os.WriteFile runs before`
		return err
	}
	return nil
}

// The following code has no findings.

func deferredRight(ctx context.Context, ask Questions) (err error) {
	defer func() {
		if err = confirmed(ctx, ask); err == nil {
			err = os.Remove("x")
		}
	}()
	_, err = os.ReadFile("x")
	return err
}

func otherDeferred(ctx context.Context, ask Questions, quick bool) (err error) {
	if quick {
		return os.Remove("x")
	}
	defer func() { err = confirmed(ctx, ask) }()
	return nil
}

func cleansUp(ctx context.Context, ask Questions) error {
	defer os.Remove("x.draft")
	defer func() { _ = os.Remove("y.draft") }()
	return confirmed(ctx, ask)
}
