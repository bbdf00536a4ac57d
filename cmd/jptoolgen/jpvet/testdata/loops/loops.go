// Package loops asks in loops.
package loops

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"example.com/m/loops/helper"

	"github.com/jptool/jptool/sdk/elicit"
)

type Questions struct {
	Go   elicit.Confirm
	Name elicit.Text
	Pick elicit.Pick
}

func plain(ctx context.Context, ask Questions, names []string) error {
	for _, name := range names {
		if ok, err := ask.Go.Ask(ctx, "Save %s?", name); err != nil || !ok { // want `JP713: the question is asked under the same id in every iteration, so one answer may apply to all of them; use For to ask about each subject`
			return err
		}
	}
	return nil
}

func constant(ctx context.Context, ask Questions, names []string, dir string) error {
	for range names {
		if ok, err := ask.Go.For("file").Ask(ctx, "Go?"); err != nil || !ok { // want `JP713: `
			return err
		}
		if ok, err := ask.Go.For(dir).Preamble("x").Ask(ctx, "Go?"); err != nil || !ok { // want `JP713: `
			return err
		}
	}
	return nil
}

func shown(ctx context.Context, ask Questions, names []string) error {
	for _, name := range names {
		if ok, err := ask.Go.Preamble(name).Ask(ctx, "Go?"); err != nil || !ok { // want `JP713: `
			return err
		}
	}
	return nil
}

func before(ctx context.Context, ask Questions, names []string, dir string) error {
	question := ask.Go.For(dir)
	for range names {
		if ok, err := question.Ask(ctx, "Go?"); err != nil || !ok { // want `JP713: `
			return err
		}
	}
	return nil
}

func untilValid(ctx context.Context, ask Questions) (string, error) {
	for {
		name, err := ask.Name.Ask(ctx, "Name?") // want `JP713: `
		if err != nil {
			return "", err
		}
		if len(name) > 3 {
			return name, nil
		}
	}
}

func counted(ctx context.Context, ask Questions) error {
	for i := range 3 {
		if _, err := ask.Name.Ask(ctx, "Name %d?", i); err != nil { // want `JP713: `
			return err
		}
	}
	return nil
}

func sure(ctx context.Context, ask Questions, name string) error {
	if ok, err := ask.Go.Ask(ctx, "Sure about %s?", name); err != nil || !ok {
		return err
	}
	return nil
}

func byHelper(ctx context.Context, ask Questions, names []string) error {
	for _, name := range names {
		if err := sure(ctx, ask, name); err != nil { // want `JP713: `
			return err
		}
	}
	return nil
}

func byLiteral(ctx context.Context, ask Questions, names []string) error {
	confirm := func(name string) error {
		if ok, err := ask.Go.Ask(ctx, "Sure about %s?", name); err != nil || !ok {
			return err
		}
		return nil
	}
	for _, name := range names {
		if err := confirm(name); err != nil { // want `JP713: `
			return err
		}
	}
	return nil
}

func elsewhere(ctx context.Context, ask Questions, names []string) error {
	for _, name := range names {
		if err := helper.Sure(ctx, ask.Go, name); err != nil { // want `JP713: `
			return err
		}
	}
	return nil
}

func iterated(ctx context.Context, ask Questions, names []string) error {
	for name := range slices.Values(names) {
		if ok, err := ask.Go.Ask(ctx, "Save %s?", name); err != nil || !ok { // want `JP713: `
			return err
		}
	}
	return nil
}

func walked(ctx context.Context, ask Questions) error {
	return filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ok, err := ask.Go.Ask(ctx, "Save %s?", path); err != nil || !ok { // want `JP713: `
			return err
		}
		return nil
	})
}

type asker struct {
	go_ elicit.Confirm
	dir string
}

func (a asker) ask(ctx context.Context, name string) error {
	if ok, err := a.go_.Ask(ctx, "%s in %s?", name, a.dir); err != nil || !ok {
		return err
	}
	return nil
}

func byMethod(ctx context.Context, ask Questions, names []string) error {
	a := asker{ask.Go, "x"}
	for _, name := range names {
		if err := a.ask(ctx, name); err != nil { // want `JP713: `
			return err
		}
	}
	return nil
}

func backwards(ctx context.Context, ask Questions, n int) error {
again:
	ok, err := ask.Go.Ask(ctx, "Go?") // want `JP713: `
	if err != nil {
		return err
	}
	if n--; ok && n > 0 {
		goto again
	}
	return nil
}

func twice(ctx context.Context, ask Questions, name string) error {
	if ok, err := ask.Go.Ask(ctx, "Save %s?", name); err != nil || !ok {
		return err
	}
	if ok, err := ask.Go.Ask(ctx, "Really save %s?", name); err != nil || !ok { // want `JP713: the question was already asked with different text at line \d+; use For to ask about each subject, or declare a question for each text`
		return err
	}
	return nil
}

func visit(ctx context.Context, ask Questions, names []string) error { // calls itself
	if ok, err := ask.Go.Ask(ctx, "Save %s?", names[0]); err != nil || !ok {
		return err
	}
	return visit(ctx, ask, names[1:]) // want `JP713: each recursive call to visit asks the question again under the same id`
}

// The following code has no findings.

func visitEach(ctx context.Context, ask Questions, names []string) error {
	if ok, err := ask.Go.For(names[0]).Ask(ctx, "Save %s?", names[0]); err != nil || !ok {
		return err
	}
	return visitEach(ctx, ask, names[1:])
}

func either(ctx context.Context, ask Questions, name string) error {
	if name == "" {
		if ok, err := ask.Go.Ask(ctx, "Save?"); err != nil || !ok {
			return err
		}
		return nil
	}
	if ok, err := ask.Go.Ask(ctx, "Save %s?", name); err != nil || !ok {
		return err
	}
	return nil
}

func eachWay(ctx context.Context, ask Questions, name string, exists bool) error {
	if exists {
		if ok, err := ask.Go.Ask(ctx, "Replace %s?", name); err != nil || !ok {
			return err
		}
	}
	if !exists {
		if ok, err := ask.Go.Ask(ctx, "Make %s?", name); err != nil || !ok {
			return err
		}
	}
	return nil
}

func sameText(ctx context.Context, ask Questions) error {
	if ok, err := ask.Go.Ask(ctx, "Save?"); err != nil || !ok {
		return err
	}
	if ok, err := ask.Go.Ask(ctx, "Save?"); err != nil || !ok {
		return err
	}
	return nil
}

func each(ctx context.Context, ask Questions, names []string) error {
	for i, name := range names {
		question := ask.Go.For(name).Preamble("x")
		if ok, err := question.Ask(ctx, "Go?"); err != nil || !ok {
			return err
		}
		if _, err := ask.Name.For(fmt.Sprint(i)).Ask(ctx, "Go?"); err != nil {
			return err
		}
	}
	return nil
}

func leaves(ctx context.Context, ask Questions, names []string) error {
	for _, name := range names {
		if name == "" {
			ok, err := ask.Go.Ask(ctx, "Go?")
			if err != nil || !ok {
				return err
			}
			break
		}
	}
	return nil
}

func onlyOnce(ctx context.Context, ask Questions, names []string) (all bool, err error) {
	asked := false
	for _, name := range names {
		if name != "" && !asked {
			if all, err = ask.Go.Ask(ctx, "Go for all?"); err != nil {
				return false, err
			}
			asked = true
		}
	}
	return all, nil
}

func furtherOnes(ctx context.Context, ask Questions, names []string) error {
	asked := false
	for _, name := range names {
		question := ask.Pick
		if asked {
			question = ask.Pick.For(name)
		}
		asked = true
		if _, err := question.Among(name).Ask(ctx, "Which?"); err != nil {
			return err
		}
	}
	return nil
}

func about(ctx context.Context, ask Questions, name string) error {
	if ok, err := ask.Go.For(name).Ask(ctx, "Go?"); err != nil || !ok {
		return err
	}
	return nil
}

func byHelpers(ctx context.Context, ask Questions, names []string) error {
	for _, name := range names {
		if err := about(ctx, ask, name); err != nil {
			return err
		}
		if err := helper.About(ctx, ask.Go, name); err != nil {
			return err
		}
		if err := helper.Sure(ctx, ask.Go.For(name), ""); err != nil {
			return err
		}
		if err := (asker{ask.Go.For(name), "x"}).ask(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func different(ctx context.Context, ask Questions, other Questions) error {
	for _, question := range []elicit.Confirm{ask.Go, other.Go} {
		if ok, err := question.Ask(ctx, "Go?"); err != nil || !ok {
			return err
		}
	}
	return nil
}

func values(ctx context.Context, ask Questions, names []string) error {
	for name := range slices.Values(names) {
		if ok, err := ask.Go.For(name).Ask(ctx, "Go?"); err != nil || !ok {
			return err
		}
	}
	return filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			_, err = ask.Name.For(path).Ask(ctx, "Save %s?", path)
		}
		return err
	})
}

func first(ctx context.Context, ask Questions, names []string) (string, error) {
	for name := range slices.Values(names) {
		if name != "" {
			if ok, err := ask.Go.Ask(ctx, "Save %s?", name); err != nil || !ok {
				return name, err
			}
			return name, nil
		}
	}
	return "", nil
}

func stepwise(ctx context.Context, ask Questions, next func() string) error {
	for {
		name := next()
		if name == "" {
			return nil
		}
		if ok, err := ask.Go.For(name).Ask(ctx, "Go?"); err != nil || !ok {
			return err
		}
	}
}

func later(ctx context.Context, ask Questions, names []string) error {
	for _, name := range names {
		confirm := func() error {
			if ok, err := ask.Go.For(name).Ask(ctx, "Go?"); err != nil || !ok {
				return err
			}
			return nil
		}
		if err := confirm(); err != nil {
			return err
		}
	}
	return nil
}
