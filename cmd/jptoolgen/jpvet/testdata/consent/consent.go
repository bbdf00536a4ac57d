// Package consent has side effects although the user may not have answered.
package consent

import (
	"context"
	"database/sql"
	"log"
	"net/http"
	"os"
	"os/exec"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/tool"
)

type How string

const (
	Keep   How = "keep"
	Remove How = "remove"
)

type Size struct{ Width int }

type Questions struct {
	Sure  elicit.Confirm
	Keep  elicit.Confirm
	How   elicit.Choice[How]
	Which elicit.Several[How]
	Count elicit.Number
	Name  elicit.Text
	Size  elicit.Form[Size]
}

type store interface{ Delete(name string) error }

func remove(name string) error { return os.Remove(name) }

func simplest(ctx context.Context, ask Questions, n string) (string, error) {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: remove, which calls os.Remove, runs at line 42 even if the question was not answered, because its error is checked too late; check the error first`
	if !ok {
		_ = remove(n)
	}
	if err != nil {
		return "", err
	}
	return "done", nil
}

func elseBranch(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs at line \d+ even if`
	if ok {
		log.Print("kept")
	} else {
		_ = os.Remove(n)
	}
	return err
}

func elseIf(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	if !ok {
		_ = os.Remove(n)
	} else if err != nil {
		return err
	}
	return err
}

func switched(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	switch {
	case !ok:
		return os.Remove(n)
	case err != nil:
		return err
	}
	return nil
}

func switchedOn(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	switch ok {
	case true:
		return nil
	case false:
		_ = os.Remove(n)
	}
	return err
}

func isFalse(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	if ok == false {
		_ = os.Remove(n)
	}
	return err
}

func isNotTrue(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	if true != ok {
		_ = os.Remove(n)
	}
	return err
}

func earlyYes(ctx context.Context, ask Questions, n string) (string, error) {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	if ok {
		return "kept", nil
	}
	if e := os.Remove(n); e != nil {
		return "", e
	}
	return "removed", err
}

func earlyYesOnly(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	if ok && err == nil {
		return nil
	}
	_ = os.Remove(n)
	return err
}

func throughVariable(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	unwanted := !ok
	if unwanted {
		_ = os.Remove(n)
	}
	return err
}

func throughCondition(ctx context.Context, ask Questions, n string, force bool) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	unwanted := !ok || force
	if unwanted {
		_ = os.Remove(n)
	}
	return err
}

func orForced(ctx context.Context, ask Questions, n string, force bool) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	if force || !ok {
		_ = os.Remove(n)
	}
	return err
}

func nested(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	if !ok {
		log.Print("not kept")
		if n != "" {
			_ = os.Remove(n)
		}
	}
	return err
}

func inLoop(ctx context.Context, ask Questions, names []string) error {
	for _, n := range names {
		ok, err := ask.Keep.For(n).Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
		if !ok {
			_ = os.Remove(n) // want `JP704: `
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func literal(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: .*os.Remove,? runs`
	tidy := func() {
		if !ok {
			_ = os.Remove(n)
		}
	}
	tidy()
	return err
}

func literalInBranch(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: .*os.Remove,? runs`
	tidy := func() { _ = os.Remove(n) }
	if !ok {
		tidy()
	}
	return err
}

func goroutine(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: .*os.Remove,? runs`
	if !ok {
		go func() { _ = os.Remove(n) }()
	}
	return err
}

func deferred(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	if !ok {
		defer os.Remove(n)
	}
	return err
}

func once(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: Once, which calls os.Remove, runs`
	if !ok {
		_, _ = tool.Once(ctx, "remove", func(context.Context) (bool, error) { return true, os.Remove(n) })
	}
	return err
}

func behindInterface(ctx context.Context, ask Questions, s store, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: store.Delete runs`
	if !ok {
		_ = s.Delete(n)
	}
	return err
}

func removeUnless(keep bool, n string) {
	if !keep {
		_ = os.Remove(n)
	}
}

func removeIf(unwanted bool, n string) {
	if unwanted {
		_ = os.Remove(n)
	}
}

func toHelper(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: the answer is used at line \d+ before its error is checked`
	removeUnless(ok, n)
	return err
}

func toHelperNegated(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: the answer is used at line \d+ before its error is checked`
	removeIf(!ok, n)
	return err
}

func confirm(ctx context.Context, ask Questions, n string) (bool, error) {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n)
	if err != nil {
		return false, err
	}
	return ok, nil
}

func fromHelper(ctx context.Context, ask Questions, n string) error {
	ok, err := confirm(ctx, ask, n) // want `JP701: os.Remove runs`
	if !ok {
		_ = os.Remove(n)
	}
	return err
}

func decide(ctx context.Context, ask Questions, n string) (bool, error) {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n)
	if err != nil {
		return false, err
	}
	if !ok {
		return false, nil
	}
	return true, nil
}

func fromDecision(ctx context.Context, ask Questions, n string) error {
	ok, err := decide(ctx, ask, n) // want `JP701: os.Remove runs`
	if !ok {
		_ = os.Remove(n)
	}
	return err
}

func named(ctx context.Context, ask Questions, n string) (out string, err error) {
	defer func() {
		if err != nil {
			log.Print(err)
		}
	}()
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	if !ok {
		_ = os.Remove(n)
	}
	if err != nil {
		return "", err
	}
	return "done", nil
}

type reply struct {
	ok  bool
	err error
}

func inField(ctx context.Context, ask Questions, n string) error {
	var r reply
	r.ok, r.err = ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	if !r.ok {
		_ = os.Remove(n)
	}
	return r.err
}

func logged(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	log.Print(err)
	if !ok {
		_ = os.Remove(n)
	}
	return err
}

func together(ctx context.Context, ask Questions, n string) error {
	var keep, sure bool
	err := elicit.Together(ctx, ask.Keep.Into(&keep, "Keep %s?", n), ask.Sure.Into(&sure, "Sure?")) // want `JP701: os.Remove runs`
	if !keep {
		_ = os.Remove(n)
	}
	if err != nil || !sure {
		return err
	}
	return nil
}

func chosen(ctx context.Context, ask Questions, n string) error {
	how, err := ask.How.Ask(ctx, "How?") // want `JP701: os.Remove runs`
	if how != Keep {
		_ = os.Remove(n)
	}
	return err
}

func chosenSwitch(ctx context.Context, ask Questions, n string) error {
	how, err := ask.How.Ask(ctx, "How?") // want `JP701: os.Remove runs`
	switch how {
	case Keep:
		return nil
	default:
		_ = os.Remove(n)
	}
	return err
}

func zeroIsNone(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP701: the answer is used`
	if name == "" {
		return "saved without a name", nil
	}
	return name, err
}

func noneChosen(ctx context.Context, ask Questions, n string) error {
	which, err := ask.Which.Ask(ctx, "Which?") // want `JP701: `
	if len(which) == 0 {
		_ = os.Remove(n)
	}
	return err
}

func counted(ctx context.Context, ask Questions, n string) error {
	count, err := ask.Count.Ask(ctx, "How many copies?") // want `JP701: os.Remove runs`
	if count == 0 {
		_ = os.Remove(n)
	}
	return err
}

func few(ctx context.Context, ask Questions, n string) error {
	count, err := ask.Count.Ask(ctx, "How many copies?") // want `JP701: the answer is used`
	if count < 1 {
		_ = os.Remove(n)
	}
	return err
}

func unnamed(ctx context.Context, ask Questions, n string) error {
	name, err := ask.Name.Ask(ctx, "New name?") // want `JP701: os.Remove runs`
	if name == "" {
		_ = os.Remove(n)
	}
	return err
}

func filled(ctx context.Context, ask Questions, n string) error {
	size, err := ask.Size.Ask(ctx, "Size?") // want `JP701: os.Remove runs`
	if size.Width == 0 {
		_ = os.Remove(n)
	}
	return err
}

func statement(ctx context.Context, ask Questions, db *sql.DB) error {
	ok, err := ask.Keep.Ask(ctx, "Keep them?") // want `JP701: sql.DB.ExecContext runs`
	if !ok {
		_, _ = db.ExecContext(ctx, "DELETE FROM notes")
	}
	return err
}

func request(ctx context.Context, ask Questions) error {
	ok, err := ask.Keep.Ask(ctx, "Keep them?") // want `JP701: http.Post runs`
	if !ok {
		_, _ = http.Post("http://127.0.0.1", "", nil)
	}
	return err
}

func command(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: exec.Cmd.Run runs`
	if ok {
		return nil
	} else if e := exec.CommandContext(ctx, "rm", n).Run(); e != nil {
		return e
	}
	return err
}

func askedIfNotForced(ctx context.Context, ask Questions, n string, force bool) error {
	keep := force
	var err error
	if !force {
		keep, err = ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
	}
	if !keep {
		_ = os.Remove(n)
	}
	return err
}

func endless(ctx context.Context, ask Questions, n string) error {
	for {
		ok, err := ask.Keep.Ask(ctx, "Keep %s?", n) // want `JP701: os.Remove runs`
		if !ok {
			return os.Remove(n)
		}
		return err
	}
}
