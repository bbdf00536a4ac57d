// Package unstable asks different questions in each run.
package unstable

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"example.com/m/unstable/clock"

	"github.com/google/uuid"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/tool"
)

type Questions struct {
	Go   elicit.Confirm
	Also elicit.Confirm
	Pick elicit.Pick
}

type item struct {
	name string
	at   time.Time
}

func now(ctx context.Context, ask Questions) (bool, error) {
	return ask.Go.Ask(ctx, "Now, at %s?", time.Now()) // want `JP714: the question depends on the time \(time.Now\), which changes when the handler runs again with the answer; keep the value with tool.Once`
}

func since(ctx context.Context, ask Questions, it item) (bool, error) {
	age := time.Since(it.at).Round(time.Second)
	text := "It is " + age.String() + " old."
	return ask.Go.Preamble(text).Ask(ctx, "Go?") // want `JP714: the question depends on the time \(time.Since\)`
}

func subject(ctx context.Context, ask Questions) (bool, error) {
	id := uuid.NewString()
	return ask.Go.For(id).Ask(ctx, "Go?") // want `JP714: the question depends on a random value \(uuid.NewString\)`
}

func random(ctx context.Context, ask Questions) (bool, error) {
	b := make([]byte, 4)
	if _, err := rand.Read(b); err != nil {
		return false, err
	}
	return ask.Go.Ask(ctx, "Go %s?", hex.EncodeToString(b)) // want `JP714: .* a random value \(rand.Read\)`
}

func shown(ctx context.Context, ask Questions) (bool, error) {
	return ask.Go.Show(content.Text{Text: fmt.Sprint("process ", os.Getpid())}).Ask(ctx, "Go?") // want `JP714: .* the process \(os.Getpid\)`
}

func byRun(ctx context.Context, ask Questions, call *tool.Call) (bool, error) {
	return ask.Go.Ask(ctx, "Go in %s?", call.ID()) // want `JP714: .* the id of the run \(tool.Call.ID\)`
}

func address(ctx context.Context, ask Questions, it *item) (bool, error) {
	if ok, err := ask.Also.Ask(ctx, "Go %p?", it); err != nil || !ok { // want `JP714: .* an address \(%p\)`
		return false, err
	}
	return ask.Go.Ask(ctx, "Go %s?", fmt.Sprintf("%p", it)) // want `JP714: .* an address \(%p\)`
}

func values(ctx context.Context, ask Questions, all map[string]int) (string, error) {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	return ask.Pick.Among(names...).Ask(ctx, "Which?") // want `JP714: the question depends on the order of a map, which changes .*; sort it first`
}

func collected(ctx context.Context, ask Questions, all map[string]int) (string, error) {
	return ask.Pick.Among(slices.Collect(maps.Keys(all))...).Ask(ctx, "Which?") // want `JP714: .* the order of a map`
}

func joined(ctx context.Context, ask Questions, all map[string]int) (bool, error) {
	text := ""
	for name := range all {
		text += name + " "
	}
	return ask.Go.Ask(ctx, "Delete %s?", text) // want `JP714: .* the order of a map`
}

func built(ctx context.Context, ask Questions, all map[string]int) (bool, error) {
	var b strings.Builder
	for name, n := range all {
		fmt.Fprintf(&b, "%s %d\n", name, n)
	}
	return ask.Go.Preamble(b.String()).Ask(ctx, "Go?") // want `JP714: .* the order of a map`
}

func inOrder(ctx context.Context, ask Questions, all map[string]int) error {
	for name := range all {
		if ok, err := ask.Go.For(name).Ask(ctx, "Delete %s?", name); err != nil || !ok { // want `JP714: .* the order of a map`
			return err
		}
	}
	return nil
}

func iterated(ctx context.Context, ask Questions, all map[string]int) error {
	for name := range maps.Keys(all) {
		if ok, err := ask.Go.For(name).Ask(ctx, "Delete %s?", name); err != nil || !ok { // want `JP714: .* the order of a map`
			return err
		}
	}
	return nil
}

func sometimes(ctx context.Context, ask Questions) (bool, error) {
	if os.Getpid()%2 == 0 {
		if ok, err := ask.Also.Ask(ctx, "Also?"); err != nil || !ok { // want `JP714: whether the question is asked depends on the process \(os.Getpid\)`
			return false, err
		}
	}
	return ask.Go.Ask(ctx, "Go?")
}

func eitherWay(ctx context.Context, ask Questions) (bool, error) {
	question := ask.Go
	if mathrand.IntN(2) == 0 {
		return ask.Also.Ask(ctx, "Also?") // want `JP714: whether the question is asked depends on a random value \(rand.IntN\)`
	}
	return question.Ask(ctx, "Go?") // want `JP714: whether the question is asked`
}

func greeted(ctx context.Context, ask Questions) (bool, error) {
	text := "Good morning"
	if time.Now().Hour() > 12 {
		text = "Good evening"
	}
	return ask.Go.Ask(ctx, "%s, go?", text) // want `JP714: the question depends on the time`
}

func helped(ctx context.Context, ask Questions) (bool, error) {
	if err := sure(ctx, ask, item{name: "x", at: time.Now()}, stamp()); err != nil { // want `JP714: .* the time \(time.Now\)`
		return false, err
	}
	return ask.Go.Ask(ctx, "Go at %s?", stamp()) // want `JP714: .* the time \(time.Now\)`
}

func stamp() string { return strconv.FormatInt(time.Now().Unix(), 10) }

func sure(ctx context.Context, ask Questions, it item, when string) error {
	if ok, err := ask.Also.Ask(ctx, "%s at %s?", it.name, when); err != nil || !ok {
		return err
	}
	return nil
}

func elsewhere(ctx context.Context, ask Questions) (bool, error) {
	return ask.Go.Ask(ctx, "Go at %s?", clock.Stamp()) // want `JP714: .* the time \(time.Now\)`
}

func oneOf(ctx context.Context, ask Questions) (bool, error) {
	questions := []elicit.Confirm{ask.Go, ask.Also}
	return questions[mathrand.IntN(2)].Ask(ctx, "Go?") // want `JP714: .* a random value`
}

type server struct {
	clock interface{ Now() time.Time }
	now   func() time.Time
	calls atomic.Int64
}

func (s *server) clocks(ctx context.Context, ask Questions) (bool, error) {
	if ok, err := ask.Also.Ask(ctx, "Now, at %s?", s.clock.Now()); err != nil || !ok { // want `JP714: .* the time \(a clock\)`
		return false, err
	}
	if ok, err := ask.Go.For("x").Ask(ctx, "Now, at %s?", s.now()); err != nil || !ok { // want `JP714: .* the time \(a clock\)`
		return false, err
	}
	return ask.Go.Ask(ctx, "Number %d?", s.calls.Add(1)) // want `JP714: .* a counter \(atomic.Int64.Add\)`
}

// The following code has no findings.

func once(ctx context.Context, ask Questions) (bool, error) {
	id, err := tool.Once(ctx, "id", func(context.Context) (string, error) { return uuid.NewString(), nil })
	if err != nil {
		return false, err
	}
	return ask.Go.For(id).Ask(ctx, "Go %s?", id)
}

func sorted(ctx context.Context, ask Questions, all map[string]int) (string, error) {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if ok, err := ask.Go.For(name).Ask(ctx, "Delete %s?", name); err != nil || !ok {
			return "", err
		}
	}
	return ask.Pick.Among(names...).Preamble(strings.Join(names, ", ")).Ask(ctx, "Which?")
}

func summed(ctx context.Context, ask Questions, all map[string]int) (bool, error) {
	total, largest := 0, ""
	for name, n := range all {
		total += n
		if n > all[largest] {
			largest = name
		}
	}
	return ask.Go.Ask(ctx, "Delete %d in %d, such as %s?", total, len(all), largest)
}

func timed(ctx context.Context, ask Questions, it item) (bool, error) {
	begun := time.Now()
	ok, err := ask.Go.Ask(ctx, "Delete %s of %s?", it.name, clock.Day(it.at))
	fmt.Fprintln(os.Stderr, time.Since(begun))
	return ok, err
}

func kept(ctx context.Context, ask Questions) (bool, error) {
	it := item{name: "x", at: time.Now()}
	if err := sure(ctx, ask, it, "noon"); err != nil {
		return false, err
	}
	return ask.Go.Ask(ctx, "Delete %s?", it.name)
}

func expired(ctx context.Context, ask Questions, until time.Time) (bool, error) {
	if time.Now().After(until) {
		return false, context.DeadlineExceeded
	}
	return ask.Go.Ask(ctx, "Go?")
}

func refreshed(ctx context.Context, ask Questions, it item, load func() item) (bool, error) {
	if time.Since(it.at) > time.Hour {
		it = load()
	}
	return ask.Go.Ask(ctx, "Delete %s?", it.name)
}

func seeded(ctx context.Context, ask Questions) (bool, error) {
	r := mathrand.New(mathrand.NewPCG(1, 2))
	return ask.Go.Ask(ctx, "Is it %d?", r.IntN(9))
}

func looked(ctx context.Context, ask Questions, all map[string]string) (bool, error) {
	title := ""
	for id, text := range all {
		if text == "x" {
			title = id
			break
		}
	}
	return ask.Go.Ask(ctx, "Delete %s?", title)
}
