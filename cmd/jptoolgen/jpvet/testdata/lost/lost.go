// Package lost loses the errors from questions.
package lost

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"slices"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

type Mode string

type Questions struct {
	Go   elicit.Confirm
	Mode elicit.Choice[Mode]
	Name elicit.Text
}

func work() error { return nil }

func statement(ctx context.Context, ask Questions) error {
	ask.Go.Ask(ctx, "Go?") // want `JP711: the error from the question is discarded; return the error, or call elicit.Acknowledge\(err\)`
	return work()
}

func blank(ctx context.Context, ask Questions) {
	_, _ = ask.Go.Ask(ctx, "Go?") // want `JP711: the error from the question is discarded`
}

func deferred(ctx context.Context, ask Questions) error {
	defer ask.Go.Ask(ctx, "Go?") // want `JP711: .* discarded`
	return work()
}

func logged(ctx context.Context, ask Questions) (string, error) {
	ok, err := ask.Go.Ask(ctx, "Go?") // want `JP711: the error from the question is turned into a successful result at line \d+`
	if err != nil {
		log.Print(err)
	}
	if !ok {
		return "no", nil
	}
	return "yes", nil
}

func early(ctx context.Context, ask Questions) (string, error) {
	ok, err := ask.Go.Ask(ctx, "Go?") // want `JP711: .* turned into a successful result at line 54`
	if !ok {
		return "no", nil
	}
	if err != nil {
		return "", err
	}
	return "yes", nil
}

func replaced(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP711: .* replaced by another error at line \d+`
	if err != nil {
		return "", errors.New("no")
	}
	return name, nil
}

func formatted(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP711: .* replaced by another error`
	if err != nil {
		return "", fmt.Errorf("asking: %v", err)
	}
	return name, nil
}

func recoded(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP711: .* replaced by another error`
	if err != nil {
		return "", fault.New(fault.State, "not named: %s", err)
	}
	return name, nil
}

func continued(ctx context.Context, ask Questions, names []string) error {
	for _, name := range names {
		ok, err := ask.Go.For(name).Ask(ctx, "Remove %s?", name) // want `JP711: .* overwritten when the question is asked again`
		if err != nil || !ok {
			continue
		}
		if err := work(); err != nil {
			return err
		}
	}
	return nil
}

func allButOne(ctx context.Context, ask Questions) error {
	ok, err := ask.Go.Ask(ctx, "Go?") // want `JP711: .* turned into a success`
	if err != nil && !errors.Is(err, elicit.ErrDeclined) {
		return err
	}
	if ok {
		return work()
	}
	return nil
}

func helper(ctx context.Context, ask Questions) bool {
	ok, err := ask.Go.Ask(ctx, "Go?") // want `JP711: the error from the question is dropped at line \d+`
	return err == nil && ok
}

func confirmed(ctx context.Context, ask Questions) error {
	if _, err := ask.Name.Ask(ctx, "Go?"); err != nil {
		return fmt.Errorf("asking: %w", err)
	}
	return nil
}

func inLiteral(ctx context.Context, ask Questions, names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		ok, err := ask.Go.For(name).Ask(ctx, "Keep %s?", name) // want `JP711: .* dropped`
		if err != nil {
			return true
		}
		return !ok
	})
}

func captured(ctx context.Context, ask Questions) error {
	var failure error
	each := func() {
		_, failure = ask.Name.Ask(ctx, "Go?") // want `JP711: .* dropped`
	}
	each()
	if failure != nil {
		log.Print(failure)
	}
	return work()
}

func collected(ctx context.Context, ask Questions, names []string) error {
	var failed []error
	for _, name := range names {
		if _, err := ask.Name.For(name).Ask(ctx, "Go?"); err != nil { // want `JP711: .* turned into a success`
			failed = append(failed, err)
		}
	}
	slog.Info("done", "failed", len(failed))
	return nil
}

func notTold(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP711: .* turned into a success`
	if elicit.Acknowledge(err) {
		return "declined", nil
	}
	return name, nil
}

type anyAsker interface {
	Ask(ctx context.Context, format string, args ...any) (bool, error)
}

func byInterface(ctx context.Context, ask anyAsker) string {
	ok, err := ask.Ask(ctx, "Go?") // want `JP711: .* dropped`
	if err != nil {
		return "no"
	}
	return fmt.Sprint(ok)
}

func resetLater(ctx context.Context, ask Questions) (name string, err error) {
	defer func() {
		if err != nil {
			name, err = "failed", nil
		}
	}()
	name, err = ask.Name.Ask(ctx, "Name?") // want `JP711: .* turned into a successful result at line \d+`
	return name, err
}

// The following code has no findings.

func acknowledged(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	switch {
	case elicit.Acknowledge(err):
		return "declined", nil
	case err != nil:
		return "", err
	}
	return name, nil
}

func unlessAcknowledged(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	if err != nil && !elicit.Acknowledge(err) {
		return "", fault.Wrap(err, fault.Unavailable, "not named")
	}
	return name, nil
}

func acknowledgedAnyway(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	if err != nil {
		elicit.Acknowledge(err)
		return "no answer", nil
	}
	return name, nil
}

func byHelper(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	if refused(err) {
		return "declined", nil
	}
	return name, failed(err)
}

func refused(err error) bool { return elicit.Acknowledge(err) }

func failed(err error) error {
	var coded *fault.Error
	if err == nil || errors.As(err, &coded) {
		return err
	}
	return fault.Wrap(err, fault.Unavailable, "no")
}

func joined(ctx context.Context, ask Questions, names []string) error {
	var all []error
	for _, name := range names {
		_, err := ask.Name.For(name).Ask(ctx, "Go?")
		all = append(all, err)
	}
	return errors.Join(all...)
}

func checked(ctx context.Context, ask Questions, names []string) error {
	var all []error
	for _, name := range names {
		if _, err := ask.Name.For(name).Ask(ctx, "Go?"); err != nil {
			all = append(all, err)
		}
	}
	if len(all) > 0 {
		return all[0]
	}
	return work()
}

func yesFirst(ctx context.Context, ask Questions) (string, error) {
	ok, err := ask.Go.Ask(ctx, "Go?")
	if ok {
		return "yes", nil
	}
	return "no", err
}

func chosen(ctx context.Context, ask Questions) (string, error) {
	mode, err := ask.Mode.Ask(ctx, "Mode?")
	if err == nil {
		return string(mode), nil
	}
	return "", errors.Join(errors.New("no mode"), err)
}

func assigned(ctx context.Context, ask Questions) (name string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("naming: %w", err)
		}
	}()
	if name, err = ask.Name.Ask(ctx, "Name?"); err != nil {
		return
	}
	return name, work()
}

func acknowledgedLater(ctx context.Context, ask Questions) (name string, err error) {
	defer func() {
		if elicit.Acknowledge(err) {
			name, err = "declined", nil
		}
	}()
	name, err = ask.Name.Ask(ctx, "Name?")
	return name, err
}

func canceled(ctx context.Context, ask Questions) error {
	_, err := ask.Name.Ask(ctx, "Go?")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func panics(ctx context.Context, ask Questions) {
	if _, err := ask.Name.Ask(ctx, "Go?"); err != nil {
		panic(err)
	}
}

func fromLiteral(ctx context.Context, ask Questions) error {
	var failure error
	each := func() { _, failure = ask.Name.Ask(ctx, "Go?") }
	each()
	return failure
}

func iterated(ctx context.Context, ask Questions, names []string) error {
	for name := range slices.Values(names) {
		if _, err := ask.Name.For(name).Ask(ctx, "Go?"); err != nil {
			return err
		}
	}
	return nil
}

type asker struct {
	ask Questions
	err error
}

func (a *asker) sure(ctx context.Context) bool {
	ok, err := a.ask.Go.Ask(ctx, "Go?")
	if err != nil {
		a.err = err
	}
	return ok
}

func sticky(ctx context.Context, ask Questions) (string, error) {
	a := &asker{ask: ask}
	if a.sure(ctx) {
		return "yes", nil
	}
	return "no", a.err
}

type reply struct {
	name string
	err  error
}

func inStruct(ctx context.Context, ask Questions) (string, error) {
	var r reply
	r.name, r.err = ask.Name.Ask(ctx, "Name?")
	if r.err != nil {
		return "", r.err
	}
	return r.name, nil
}

func dead(ctx context.Context, ask Questions) error {
	if false {
		ask.Go.Ask(ctx, "Go?")
	}
	return nil
}

func noted(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	bad := err != nil || name == "x"
	if bad {
		return "", errors.Join(err, errors.New("bad name"))
	}
	return name, nil
}

func yielded(ctx context.Context, ask Questions, names []string) func(yield func(string, error) bool) {
	return func(yield func(string, error) bool) {
		for _, name := range names {
			ok, err := ask.Go.For(name).Ask(ctx, "Take %s?", name)
			if err != nil {
				yield("", err)
				return
			}
			if ok && !yield(name, nil) {
				return
			}
		}
	}
}
