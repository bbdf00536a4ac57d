package sdk_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// A promise is a guarantee for a handler that breaks or follows a rule about questions. It holds over
// every protocol and transport that supports what the handler needs.
type promise struct {
	what string
	// each is the client's reaction to each question.
	each step
	args []string

	// tool and arguments are set for a call to a tool other than the one that breaks rules.
	tool, arguments string
	// once returns how many times the work of tool.Once in a handler is done.
	once func(t *testing.T, open opener) string
}

func rule(what, rule string, each step, args ...string) promise {
	return promise{what: what, each: each, args: args, tool: "break", arguments: fmt.Sprintf(`{"break":%q}`, rule)}
}

var promises = []promise{
	rule("a question that the tool does not declare", "undeclared", yes),
	rule("`Together` with a question that the tool does not declare", "stranger", yes),
	rule("`Together` with a `Pick` without values", "no_values", yes),
	rule("`Together` with a `Pick` that offers a value twice", "same_values", yes),
	rule("`Together` with a `Visit` without a URL", "no_url", yes),
	rule("`Together` with a context from `tool.Branch`", "apart", yes),
	rule("two questions, each in its own goroutine", "two", yes),
	rule("the same question twice in one run", "again", yes),
	rule("one question with two messages in one run", "reworded", yes),
	rule("a question whose message is different in each run", "unstable", yes),
	rule("an endless loop that asks one question", "loop", yes),
	rule("an endless loop that asks different questions, with `--max-rounds=5`", "many", yes, "--max-rounds=5"),
	{what: "a question about six subjects with similar names", each: yes, tool: "stage", arguments: `{"hunks":["b c","b_c","b_c-47d8a4a86c74","","a-b","-"]}`},
	rule("a confirmed question; the handler ignores the answer", "swallow", yes),
	rule("a declined confirmation; the handler ignores the error", "swallow", no),
	rule("a declined confirmation; the handler acknowledges the error", "acknowledged", no),
	rule("a question that a person must answer (`exclusive`)", "exclusive", yes),
	rule("the same with `exclusive=host`", "hosted", yes),
	rule("a nil `*fault.Error`, returned as the error", "typed_nil", yes),
	rule("an error with a code that the tool does not declare", "own_code", yes),
	rule("an error from package `os`, without a code", "no_file", yes),
	rule("an error whose method `Unwrap` returns the error itself", "endless", yes),
	{what: "`tool.Once`, after an identical call was abandoned", once: callAgainAfterAbandoning},
	{what: "`tool.Once`, in two identical calls at the same time", once: concurrent},
}

var (
	yes = step{answer: "true"}
	no  = step{action: "decline"}
)

// columns are groups of protocols with the same verdict.
var columns = []struct {
	name  string
	wires []wireUnderTest
	// refuses reports whether the tool is notified if the user declines.
	refuses bool
	// open starts a call; nil for clients that cannot be asked.
	open func(t *testing.T) opener
}{
	{"MCP multi round-trip", wiresNamed("MCP multi round-trip", "MCP multi round-trip over HTTP", "go-sdk's client"), true, openRounds},
	{"MCP elicitation", wiresNamed("MCP elicitation 2025-11-25", "MCP elicitation 2025-06-18", "MCP elicitation, new version by initialize", "MCP elicitation over HTTP"), true, openElicitation},
	{"client that cannot ask", []wireUnderTest{{"no elicitation", false, true, runCannotAsk}}, true, nil},
	{"JP Outcome", wiresNamed("JP Outcome", "JP Outcome, untagged"), false, openHost(wire.VersionOutcome)},
	{"JP content blocks", wiresNamed("JP content blocks"), false, openHost(wire.VersionBlocks)},
	{"JP local tool or command plugin", wiresNamed("JP local tool", "JP local tool, untagged", "JP command plugin"), false, openLocal},
	{"same process", wiresNamed("in process"), true, openInProcess},
}

// wiresNamed returns the wires with these names.
func wiresNamed(names ...string) []wireUnderTest {
	var list []wireUnderTest
	for _, w := range wires {
		if slices.Contains(names, w.name) {
			list = append(list, w)
		}
	}
	if len(list) != len(names) {
		panic(fmt.Sprint("no wires of all these names: ", names))
	}
	return list
}

// runCannotAsk runs a scenario with a client that cannot ask.
func runCannotAsk(t *testing.T, s scenario) ending {
	return start(t, s.args...).call(s.tool, s.arguments).ending(0)
}

// The table of promises in the documentation describes all protocols and transports. Run with
// JPTOOL_UPDATE=1 to update it, and review the difference.
func TestPromisesOnEveryWire(t *testing.T) {
	verdicts := make([][]string, len(promises))
	t.Run("wires", func(t *testing.T) {
		for row, p := range promises {
			verdicts[row] = make([]string, len(columns))
			for col, c := range columns {
				if p.each.action != "" && !c.refuses {
					verdicts[row][col] = "the host ends the call"
					continue
				}
				if p.once != nil && c.open == nil {
					verdicts[row][col] = "–"
					continue
				}
				t.Run(p.what+"/"+c.name, func(t *testing.T) {
					t.Parallel()
					if p.once != nil {
						verdicts[row][col] = p.once(t, c.open(t))
						if strings.HasPrefix(c.name, "JP local tool") { // each run is a process, whose first draft has the number 1
							verdicts[row][col] = strings.ReplaceAll(verdicts[row][col], "done once", "done in each run")
						}
						return
					}
					for _, w := range c.wires {
						got := verdict(w.run(t, scenario{name: p.what, tool: p.tool, arguments: p.arguments, every: &p.each, args: p.args}))
						if was := verdicts[row][col]; was != "" && was != got {
							t.Errorf("on %s: %s, on the wires before: %s", w.name, got, was)
						}
						verdicts[row][col] = got
					}
				})
			}
		}
	})
	var table strings.Builder
	table.WriteString("| |")
	for _, c := range columns {
		fmt.Fprintf(&table, " %s |", c.name)
	}
	table.WriteString("\n|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for row, p := range promises {
		fmt.Fprintf(&table, "| %s | %s |\n", p.what, strings.Join(verdicts[row], " | "))
	}
	checkTable(t, "promises", table.String())
}

// verdict describes the outcome of a call.
func verdict(e ending) string {
	asked := fmt.Sprintf("asked %d times, ", e.asked)
	switch e.asked {
	case 0:
		asked = ""
	case 1:
		asked = "asked once, "
	}
	if e.code != "" {
		return asked + "`" + e.code + "`"
	}
	return asked + "result"
}

// checkTable compares a table in the documentation with the expected one.
func checkTable(t *testing.T, name, want string) {
	t.Helper()
	data, err := os.ReadFile(wiresPage)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?s)(<!-- table: ` + name + ` -->\n)(.*?)(\n(?:\n|$))`).FindSubmatchIndex(data)
	if found == nil {
		t.Fatalf("%s has no table %q", wiresPage, name)
	}
	if got := string(data[found[4]:found[5]]) + "\n"; got == want {
		return
	}
	if os.Getenv("JPTOOL_UPDATE") == "" {
		t.Errorf("the table is out of date, it should be\n%s", want)
		return
	}
	page := string(data[:found[4]]) + strings.TrimSuffix(want, "\n") + string(data[found[5]:])
	if err := os.WriteFile(wiresPage, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

// breakCaller answers the questions of the fixture's break tool.
type breakCaller struct{ caller }

func (b breakCaller) First(_ context.Context, r elicit.Request) (elicit.Response[bool], error) {
	return answer[bool](b.caller, r)
}

func (b breakCaller) Second(_ context.Context, r elicit.Request) (elicit.Response[string], error) {
	return answer[string](b.caller, r)
}

func (b breakCaller) Strict(_ context.Context, r elicit.Request) (elicit.Response[bool], error) {
	return answer[bool](b.caller, r)
}

func (b breakCaller) Host(_ context.Context, r elicit.Request) (elicit.Response[bool], error) {
	return answer[bool](b.caller, r)
}

func (b breakCaller) Pick(_ context.Context, r elicit.Request) (elicit.Response[string], error) {
	return answer[string](b.caller, r)
}

func (b breakCaller) Page(_ context.Context, r elicit.Request) (elicit.Response[bool], error) {
	return answer[bool](b.caller, r)
}
