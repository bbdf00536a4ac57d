package jpvet

import (
	"go/token"
	"go/types"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// nearestPos returns pos if it is in this package, or else the position of the tool.
func (c *checker) nearestPos(pos token.Pos, t *model.Tool) token.Pos {
	if c.file(pos) != nil {
		return pos
	}
	return t.Method.Pos()
}

// expired is the text before the last day of a former name in a finding.
const expired = " expired on "

// EndsAfter reports whether message is a finding about a former name of a tool that has not expired on the given
// day. A driver that caches findings runs the analyzer with a day in the far future, and drops these findings.
func EndsAfter(message string, today time.Time) bool {
	_, rest, found := strings.Cut(message, expired)
	day, _, _ := strings.Cut(rest, ";")
	last, err := time.Parse(time.DateOnly, day)
	return found && err == nil && !isPast(last, today)
}

func isPast(last, today time.Time) bool { return !today.UTC().Before(last.AddDate(0, 0, 1)) }

// pastAliases finds former names of tools that have expired.
func pastAliases(c *checker, t *model.Tool, _ *ssa.Function) {
	for _, a := range t.Aliases {
		last, err := time.Parse(time.DateOnly, a.Until)
		if err == nil && isPast(last, c.today) {
			c.report.at(a.Pos, "former name %s of %s"+expired+"%s", a.Name, t, a.Until).
				suggest("delete it, or set a later until= date")
		}
	}
}

// magicStrings finds, in servers that follow RFC-010, arguments that are compared with strings that their
// schemas do not list.
func magicStrings(c *checker, t *model.Tool, fn *ssa.Function) {
	if c.server.Conventions != model.RFC010 || t.Input == nil || t.Kind != model.Callable {
		return
	}
	free := map[*types.Var]string{}
	for _, f := range t.Input.Fields() {
		if f.Shape.Base().Kind == schema.String {
			free[f.Var] = f.Name
		}
	}
	for op := range each[*ssa.BinOp](c.reach(fn)...) {
		if op.Op != token.EQL && op.Op != token.NEQ {
			continue
		}
		for _, pair := range [][2]ssa.Value{{op.X, op.Y}, {op.Y, op.X}} {
			word, ok := stringOf(pair[1])
			if name := free[fieldRead(pair[0])]; ok && word != "" && name != "" {
				c.report.at(op.Pos(), "argument %s is compared with %q, which its schema does not list", name, word).
					suggest("declare a string type with a constant for each value")
			}
		}
	}
}
