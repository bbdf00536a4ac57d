package consent

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// The following code has no findings.

func checkedInBranch(ctx context.Context, ask Questions, n string) (string, error) {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if !ok {
		if err != nil {
			return "", err
		}
		return "kept", nil
	}
	return "removed", os.Remove(n)
}

func messageAndError(ctx context.Context, ask Questions, n string) (string, error) {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if !ok {
		return "kept " + n, err
	}
	return "removed", os.Remove(n)
}

func loggedThenReturned(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if !ok {
		log.Printf("%s is kept", n)
		slog.InfoContext(ctx, "kept", "name", n)
		fmt.Fprintln(os.Stderr, "kept", n)
		return err
	}
	return os.Remove(n)
}

func buildsError(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if !ok {
		return errors.Join(fault.New(fault.State, "%s is kept", n), err)
	}
	return os.Remove(n)
}

func wrapsError(ctx context.Context, ask Questions, n string) (string, error) {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	message := "removed " + n
	if !ok {
		message = "kept " + n
	}
	if err != nil {
		return "", fmt.Errorf("asking about %s: %w", n, err)
	}
	if ok {
		return message, os.Remove(n)
	}
	return message, nil
}

func errorFirst(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n)
	if err != nil {
		return err
	}
	if !ok {
		return os.Remove(n)
	}
	return nil
}

func eitherOne(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if err != nil || !ok {
		return err
	}
	return os.Remove(n)
}

func noAndNoError(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n)
	if !ok && err == nil {
		return os.Remove(n)
	}
	return err
}

func errorCase(ctx context.Context, ask Questions, n string) (string, error) {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n)
	switch {
	case err != nil:
		return "", err
	case !ok:
		return "removed", os.Remove(n)
	default:
		return "kept", nil
	}
}

func acknowledgedCase(ctx context.Context, ask Questions, n string) (string, error) {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n)
	switch {
	case elicit.Acknowledge(err):
		return "kept", nil
	case !ok:
		return "removed", errors.Join(err, os.Remove(n))
	}
	return "kept", err
}

func yesThenError(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if ok {
		return os.Remove(n)
	}
	if err != nil {
		return err
	}
	log.Print("kept")
	return nil
}

func noElse(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if !ok {
		log.Print("kept")
	} else {
		_ = os.Remove(n)
	}
	return err
}

func helperChecks(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n)
	if failed(err) {
		return err
	}
	if !ok {
		return errors.Join(err, os.Remove(n))
	}
	return err
}

func failed(err error) bool { return err != nil }

func askedAgain(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n)
	if !ok {
		sure, again := ask.Sure.Ask(ctx, "Remove %s?", n)
		if again != nil || !sure {
			return errors.Join(err, again)
		}
		return errors.Join(err, os.Remove(n))
	}
	return err
}

func comparedFirst(ctx context.Context, ask Questions, n string) (string, error) {
	how, err := ask.How.Ask(ctx, "How?")
	if how == Keep {
		return "kept", nil
	}
	if err != nil {
		return "", err
	}
	return "removed", os.Remove(n)
}

func comparedWithError(ctx context.Context, ask Questions, n string) error {
	how, err := ask.How.Ask(ctx, "How?")
	if how == Remove && err == nil {
		return os.Remove(n)
	}
	return err
}

func defaulted(ctx context.Context, ask Questions, n string) error {
	name, err := ask.Name.Ask(ctx, "New name?")
	if name == "" {
		name = "untitled"
	}
	if err != nil {
		return err
	}
	return os.Rename(n, name)
}

func isFalseRight(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if ok == false {
		return err
	}
	return os.Remove(n)
}

func negated(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	declined := !ok
	if declined {
		return err
	}
	return os.Remove(n)
}

func staged(ctx context.Context, ask Questions, n string) error {
	f, err := os.CreateTemp("", "note")
	if err != nil {
		return err
	}
	ok, err := ask.Sure.Ask(ctx, "Write %s?", n)
	if !ok {
		_ = os.Remove(f.Name())
		return err
	}
	return os.Rename(f.Name(), n)
}

func cleansUp(ctx context.Context, ask Questions, n string) error {
	ok := false
	defer func() {
		if !ok {
			_ = os.Remove(n + ".draft")
		}
	}()
	ok, err := ask.Sure.Ask(ctx, "Write %s?", n)
	if !ok {
		return err
	}
	return os.WriteFile(n, nil, 0o600)
}

func eachOne(ctx context.Context, ask Questions, names []string) error {
	var chosen []string
	for _, n := range names {
		ok, err := ask.Sure.For(n).Ask(ctx, "Remove %s?", n)
		if !ok && err == nil {
			continue
		}
		if err != nil {
			return err
		}
		chosen = append(chosen, n)
	}
	for _, n := range chosen {
		if err := os.Remove(n); err != nil {
			return err
		}
	}
	return nil
}

func bothRight(ctx context.Context, ask Questions, n string) error {
	var keep, sure bool
	err := elicit.Together(ctx, ask.Keep.Into(&keep, "Keep %s?", n), ask.Sure.Into(&sure, "Sure?"))
	if keep || !sure {
		return err
	}
	if err != nil {
		return err
	}
	return os.Remove(n)
}

func inFieldRight(ctx context.Context, ask Questions, n string) error {
	var r reply
	if r.ok, r.err = ask.Sure.Ask(ctx, "Remove %s?", n); !r.ok {
		return r.err
	}
	return os.Remove(n)
}

func counter(ctx context.Context, ask Questions, n string, declined *int) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if !ok {
		*declined++
		return err
	}
	return os.Remove(n)
}

func whicheverWay(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Verbose?")
	if ok {
		log.Print("verbose")
	}
	if err != nil {
		return err
	}
	return os.Remove(n)
}

func joined(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if !ok {
		err = errors.Join(err, errors.New("kept"))
		return err
	}
	return os.Remove(n)
}

func firstOf(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if !ok {
		return cmp.Or(err, errors.New("kept"))
	}
	return os.Remove(n)
}

func (s *server) decline(n string, err error) error {
	if err != nil {
		return err
	}
	return os.Remove(n)
}

type server struct{}

func handedToHelper(ctx context.Context, ask Questions, s *server, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n)
	if !ok {
		return s.decline(n, err)
	}
	return nil
}

func rollsBack(ctx context.Context, ask Questions, tx *sql.Tx) error {
	ok, err := ask.Sure.Ask(ctx, "Commit?")
	if !ok {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

func untilYes(ctx context.Context, ask Questions, names []string) (string, error) {
	for _, n := range names {
		ok, err := ask.Sure.For(n).Ask(ctx, "Remove %s?", n)
		switch {
		case ok:
			return n, os.Remove(n)
		case err != nil:
			return "", err
		}
	}
	return "", nil
}

func readInLiteral(ctx context.Context, ask Questions, n string) error {
	ok, err := ask.Keep.Ask(ctx, "Keep %s?", n)
	asked := func() bool { return err == nil }
	if !ok && asked() {
		return errors.Join(err, os.Remove(n))
	}
	return err
}

func askedIfNeeded(ctx context.Context, ask Questions, n string, force bool) error {
	ok := force
	var err error
	if !force {
		ok, err = ask.Sure.Ask(ctx, "Remove %s?", n)
	}
	if !ok {
		return err
	}
	return os.Remove(n)
}

func dryRun(ctx context.Context, ask Questions, n string, dry bool) (string, error) {
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", n)
	if !ok || dry {
		return "nothing was removed", err
	}
	return "removed", os.Remove(n)
}
