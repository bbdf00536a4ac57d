package jptest_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/fixture"
	"github.com/jptool/jptool/sdk/jptest"
	"github.com/jptool/jptool/sdk/tool"
)

type badge struct {
	Name string `json:"name"`
}

// guests asks whether to go on, for a badge, and about each of two guests.
func guests(ctx context.Context, _ *tool.Call) ([]string, error) {
	goOn, err := elicit.NewConfirm(elicit.Spec{ID: "go-on"}).Ask(ctx, "Go on?")
	if err != nil || !goOn {
		return nil, err
	}
	form := elicit.NewForm(elicit.Spec{ID: "badge"}, func(json.RawMessage) (badge, error) { return badge{"Ada"}, nil },
		elicit.Field{Spec: elicit.Spec{ID: "name"}, Kind: elicit.KindText})
	who, err := form.Ask(ctx, "Who?")
	if err != nil {
		return nil, err
	}
	names := []string{who.Name}
	for _, guest := range []string{"1", "2"} {
		name, err := elicit.NewText(elicit.Spec{ID: "guest"}).For(guest).Ask(ctx, "Who is guest %s?", guest)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

func TestScriptsThatFailATest(t *testing.T) {
	ada := jptest.Answer("badge", badge{"Ada"})
	for _, tc := range []struct {
		name   string
		script []jptest.Reply
		code   fault.Code
		want   string
	}{
		{"no reply", nil, fault.InputUnavailable, `the script has no reply to question "go-on" (true or false): Go on?`},
		{"no reply to a subject", []jptest.Reply{jptest.Answer("go-on", true), ada, jptest.Answer("guest-1", "Bob")},
			fault.InputUnavailable, `no reply to question "guest-2" (a string): Who is guest 2?`},
		{"a reply to no question", []jptest.Reply{jptest.Answer("go-on", false), ada}, "", `question "badge" was not asked`},
		{"a reply without JSON", []jptest.Reply{jptest.Answer("go-on", func() {})}, fault.InvalidAnswer, "has no JSON"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx := t.Context()
			failures, _ := run(func(t testing.TB) {
				if _, err := tool.Invoke(ctx, "guests", jptest.Script(t, tc.script...), guests); fault.CodeOf(err) != tc.code {
					t.Errorf("Invoke = %v, want code %q", err, tc.code)
				}
			})
			if !strings.Contains(failures, tc.want) || strings.Contains(failures, "Invoke") {
				t.Errorf("the test failed with %q, want %q", failures, tc.want)
			}
		})
	}
}

func TestScript(t *testing.T) {
	script := jptest.Script(t, jptest.Answer("guest", "Bob"), jptest.Answer("go-on", true), jptest.Answer("guest-2", "Eve"),
		jptest.Answer("badge", badge{"Ada"}))
	got, err := tool.Invoke(t.Context(), "guests", script, guests)
	if err != nil || !slices.Equal(got, []string{"Ada", "Bob", "Eve"}) {
		t.Errorf("Invoke = %q, %v", got, err)
	}
	_, err = tool.Invoke(t.Context(), "guests", jptest.Script(t, jptest.Dismiss("go-on")), guests)
	if !errors.Is(err, elicit.ErrCanceled) {
		t.Errorf("a dismissed question: %v", err)
	}
}

// polite answers the fixture's form by what the generated interface says.
type polite struct{ badge fixture.Badge }

func (p polite) Badge(_ context.Context, r elicit.Request) (elicit.Response[fixture.Badge], error) {
	if p.badge.Name == "" {
		return elicit.Declined[fixture.Badge](), nil
	}
	return elicit.Accepted(p.badge), nil
}

func TestGeneratedElicitor(t *testing.T) {
	ctx, f := t.Context(), &fixture.Fixture{}
	text, err := fixture.CallRegister(ctx, f, polite{fixture.Badge{Name: "Ada", Flavor: fixture.Lemon, Guests: 1, Remark: "hi"}})
	if err != nil || text != `Ada with 1, lemon, dinner false, remark "hi"` {
		t.Errorf("CallRegister = %q, %v", text, err)
	}
	for _, tc := range []struct {
		badge fixture.Badge
		want  fault.Code
	}{
		{fixture.Badge{}, fault.InputDeclined},
		{fixture.Badge{Name: "A", Flavor: fixture.Lemon}, fault.InvalidAnswer},
		{fixture.Badge{Name: "Ada", Flavor: "mint"}, fault.InvalidAnswer},
		{fixture.Badge{Name: "Ada", Flavor: fixture.Lemon, Guests: 4}, fault.InvalidAnswer},
		{fixture.Badge{Name: "Ada", Flavor: fixture.Lemon, Remark: strings.Repeat("x", 81)}, fault.InvalidAnswer},
	} {
		if text, err := fixture.CallRegister(ctx, f, polite{tc.badge}); fault.CodeOf(err) != tc.want || text != "" {
			t.Errorf("CallRegister with %+v = %q, %v, want %s", tc.badge, text, err, tc.want)
		}
	}
}
