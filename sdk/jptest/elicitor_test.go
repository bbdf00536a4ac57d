package jptest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// polite answers the fixture's form through the generated interface.
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
