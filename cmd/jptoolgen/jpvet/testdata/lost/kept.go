package lost

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

func onOnePath(ctx context.Context, ask Questions, quick bool) (string, error) {
	var r reply
	r.name, r.err = ask.Name.Ask(ctx, "Name?") // want `JP711: the error from the question is turned into a successful result at line 18`
	if quick {
		return "quick", nil
	}
	if r.err != nil {
		return "", r.err
	}
	return r.name, nil
}

func onlyLogged(ctx context.Context, ask Questions) (string, error) {
	var r reply
	r.name, r.err = ask.Name.Ask(ctx, "Name?") // want `JP711: .* turned into a successful result`
	if r.err != nil {
		log.Print(r.err)
	}
	return r.name, nil
}

func forgotten(ctx context.Context, ask Questions, dry bool) (string, error) {
	a := &asker{ask: ask}
	if !a.sure(ctx) { // want `JP711: the error from the question is turned into a successful result at line 39`
		if dry {
			return "kept", nil
		}
		return "", a.err
	}
	return "yes", nil
}

func neverRead(ctx context.Context, ask Questions) string {
	a := &asker{ask: ask}
	if !a.sure(ctx) { // want `JP711: .* dropped`
		return "no"
	}
	return "yes"
}

func lenient(err error) error {
	if errors.Is(err, elicit.ErrDeclined) {
		return nil
	}
	return err
}

func byLenient(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP711: the error from the question is turned into a successful result at line \d+`
	return name, lenient(err)
}

func byLenientChecked(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP711: .* turned into a success`
	if err := lenient(err); err != nil {
		return "", err
	}
	return name, nil
}

func quiet(err error, silent bool) error {
	if silent {
		return nil
	}
	return err
}

func byQuiet(ctx context.Context, ask Questions, silent bool) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP711: .* turned into a successful result`
	if err != nil {
		return "", quiet(err, silent)
	}
	return name, nil
}

// The following code has no findings.

func helperThenError(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	if other := lenient(err); other != nil {
		return "", other
	}
	if err != nil {
		return "", err
	}
	return name, nil
}

func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) || err == fs.ErrExist {
		return nil
	}
	return fmt.Errorf("work: %w", err)
}

func byMissing(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	if err != nil {
		return "", missing(err)
	}
	return name, nil
}

func acknowledging(err error) error {
	if elicit.Acknowledge(err) {
		return nil
	}
	return err
}

func byAcknowledging(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	if err := acknowledging(err); err != nil {
		return "", err
	}
	return name, nil
}

func keptRight(ctx context.Context, ask Questions, quick bool) (string, error) {
	var r reply
	r.name, r.err = ask.Name.Ask(ctx, "Name?")
	if quick {
		return "quick", r.err
	}
	if r.err != nil {
		return "", r.err
	}
	return r.name, nil
}

func (a *asker) failed() bool { return a.err != nil }

func (a *asker) result(text string) (string, error) { return text, a.err }

func byMethods(ctx context.Context, ask Questions, short bool) (string, error) {
	a := &asker{ask: ask}
	ok := a.sure(ctx)
	if short {
		return a.result("short")
	}
	if a.failed() {
		return "", a.err
	}
	return fmt.Sprint(ok), nil
}

func twice(ctx context.Context, ask Questions) (string, error) {
	a := &asker{ask: ask}
	if !a.sure(ctx) || !a.sure(ctx) {
		return "no", a.err
	}
	return "yes", nil
}

func acknowledgesKept(ctx context.Context, ask Questions) (string, error) {
	a := &asker{ask: ask}
	if !a.sure(ctx) && elicit.Acknowledge(a.err) {
		return "no", nil
	}
	return "yes", a.err
}

type session struct{ a *asker }

func (s *session) step(ctx context.Context) bool { return s.a.sure(ctx) }

func bySession(ctx context.Context, ask Questions) (string, error) {
	s := &session{a: &asker{ask: ask}}
	if s.step(ctx) {
		return "yes", nil
	}
	return "no", s.a.err
}

func returnedStruct(ctx context.Context, ask Questions) reply {
	var r reply
	r.name, r.err = ask.Name.Ask(ctx, "Name?")
	return r
}

func masked(err error) error {
	if err == nil {
		return nil
	}
	var coded *fault.Error
	if errors.As(err, &coded) {
		return err
	}
	return fault.New(fault.Unavailable, "no: %v", err)
}

func byMasked(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	if err != nil {
		return "", masked(err)
	}
	return name, nil
}

func optional(err error) error {
	if fault.CodeOf(err) == fault.NotFound || errors.Is(err, &fault.Error{Code: fault.Conflict}) || isGone(err) {
		return nil
	}
	var coded *fault.Error
	if errors.As(err, &coded) && coded.Code == fault.State {
		return nil
	}
	if _, ok := err.(*fs.PathError); ok {
		return nil
	}
	return err
}

func isGone(err error) bool { return errors.Is(err, fs.ErrClosed) }

func byOptional(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	return name, optional(err)
}

func gathered(ctx context.Context, ask Questions, names []string) error {
	var all []reply
	for _, name := range names {
		var r reply
		r.name, r.err = ask.Name.For(name).Ask(ctx, "Name?")
		all = append(all, r)
	}
	for _, r := range all {
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

func describe(r reply) (string, error) {
	if r.err != nil {
		return "", r.err
	}
	return r.name, nil
}

func handedOver(ctx context.Context, ask Questions) (string, error) {
	var r reply
	r.name, r.err = ask.Name.Ask(ctx, "Name?")
	return describe(r)
}

func handedPointer(ctx context.Context, ask Questions) (string, error) {
	r := &reply{}
	r.name, r.err = ask.Name.Ask(ctx, "Name?")
	if r.bad() {
		return "", r.err
	}
	return r.name, nil
}

func (r *reply) bad() bool { return r.err != nil }

func inClosure(ctx context.Context, ask Questions) (text string, err error) {
	a := &asker{ask: ask}
	defer func() {
		if err == nil {
			err = a.err
		}
	}()
	if !a.sure(ctx) {
		return "no", nil
	}
	return "yes", nil
}

type flow struct {
	ask Questions
	err error
}

func (f *flow) step(ctx context.Context, name string) {
	if f.err != nil {
		return
	}
	_, f.err = f.ask.Name.For(name).Ask(ctx, "Name?")
}

func (f *flow) done() error { return f.err }

func steps(ctx context.Context, ask Questions) error {
	f := &flow{ask: ask}
	f.step(ctx, "a")
	f.step(ctx, "b")
	return f.done()
}

func stepsChecked(ctx context.Context, ask Questions) (string, error) {
	var f flow
	f.ask = ask
	f.step(ctx, "a")
	if f.err == nil {
		f.step(ctx, "b")
	}
	if err := f.err; err != nil {
		return "", err
	}
	return "done", nil
}
