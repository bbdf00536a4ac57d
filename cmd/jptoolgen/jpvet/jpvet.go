// Package jpvet checks the handlers of tools. It is a go/analysis analyzer.
//
// The generator reads declarations. [Analyzer] reads the code of handlers, and checks that handlers
//   - return the errors from questions
//   - ask the same questions in every run, and only where they can be asked
//   - have no side effect that a question would repeat or that the tool's directives exclude
//   - use arguments only within the user's grants
//   - use the error codes, questions and options that they declare
//   - use the generated functions for the URIs of the server's resources
//
// It also reports the findings of the generator, so that an editor shows all findings.
//
// "jptoolgen vet" runs the analyzer. The program jptoolgen is also a vet tool (go vet -vettool), and other
// drivers of go/analysis can run the analyzer.
package jpvet

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// Analyzer reports findings whose category is their code, such as JP704. Its flag today sets the day on which
// former names of tools are checked, in the form 2006-01-02.
var Analyzer = newAnalyzer()

func newAnalyzer() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:      "jpvet",
		Doc:       doc(),
		URL:       "https://github.com/jptool/jptool/blob/main/docs/vet.md",
		Run:       run,
		FactTypes: []analysis.Fact{new(behavior), new(flow), new(closed), new(comments)},
	}
	a.Flags.String("today", "", "report former tool names that have expired by this `date`, e.g. 2006-01-02 (default: today)")
	return a
}

// A rule finds one kind of problem.
type rule struct {
	code  diag.Code
	check func(*checker)
}

// eachCall returns the check of a rule about calls.
func eachCall(check func(*checker, ssa.CallInstruction)) func(*checker) {
	return func(c *checker) {
		for _, call := range c.calls {
			check(c, call)
		}
	}
}

// eachTool returns the check of a rule about tools and their functions.
func eachTool(check func(*checker, *model.Tool, *ssa.Function)) func(*checker) {
	return func(c *checker) {
		c.tools(func(t *model.Tool, fn *ssa.Function) { check(c, t, fn) })
	}
}

func rules() []rule {
	return []rule{
		{diag.MagicString, eachTool(magicStrings)},
		{diag.UnreadError, eachCall(unreadErrors)},
		{diag.StrayQuestion, eachCall(strayQuestions)},
		{diag.EarlyEffect, earlyEffects},
		{diag.UndeclaredFault, eachTool(undeclaredFaults)},
		{diag.IdleFault, eachTool(unusedFaults)},
		{diag.IdleQuestion, unaskedQuestions},
		{diag.IdleOption, eachTool(unreadOptions)},
		{diag.PastAlias, eachTool(pastAliases)},
		{diag.LostError, eachCall(lostErrors)},
		{diag.MadeUpAnswer, eachCall(madeUpAnswers)},
		{diag.RepeatedQuestion, eachCall(repeatedQuestions)},
		{diag.UnstableQuestion, eachCall(unstableQuestions)},
		{diag.ReadOnlyEffect, eachTool(readOnlyEffects)},
		{diag.FormatEffect, eachTool(formatEffects)},
		{diag.ClosedWorld, eachTool(closedWorlds)},
		{diag.UncheckedInput, eachTool(uncheckedInputs)},
		{diag.UnknownWord, unknownWords},
		{diag.UncodedError, uncodedErrors},
		{diag.ComputedCode, computedCodes},
		{diag.KeptQuestion, keptQuestions},
		{diag.ReplacedQuestion, replacedQuestions},
		{diag.ForeignContext, eachCall(foreignContexts)},
		{diag.UnusedAnswer, eachCall(unusedAnswers)},
		{diag.LockedQuestion, lockedQuestions},
		{diag.WrittenURI, writtenURIs},
		{diag.TaskEffect, eachTool(taskEffects)},
	}
}

func doc() string {
	var b strings.Builder
	b.WriteString("check the handlers of tools\n\nIn addition to the findings of jptoolgen, it reports:\n")
	for _, r := range rules() {
		fmt.Fprintf(&b, "\n\t%s: %s", r.code, r.code.Title())
	}
	return b.String()
}

// A checker is the state of the analysis of one package.
type checker struct {
	*program
	*source
	today time.Time
	// unchecked holds the calls whose answers are used without a check of the error.
	unchecked map[ssa.CallInstruction]bool
}

func run(pass *analysis.Pass) (any, error) {
	if !inModule(pass.Module, pass.Pkg.Path()) || len(pass.Files) == 0 {
		return nil, nil
	}
	c := &checker{today: time.Now(), unchecked: map[ssa.CallInstruction]bool{}}
	if day := pass.Analyzer.Flags.Lookup("today").Value.String(); day != "" {
		var err error
		if c.today, err = time.Parse(time.DateOnly, day); err != nil {
			return nil, fmt.Errorf("invalid -today %q: must be a date, e.g. 2006-01-02", day)
		}
	}
	var files []*ast.File
	for _, f := range pass.Files {
		if handwritten(pass.Fset, f.Package) {
			files = append(files, f)
		}
	}
	report := &reporter{pass: pass}
	report.readAllowances(files)
	c.program = newProgram(pass, report)
	c.exportFacts()
	exportComments(pass, files)
	c.source = readSource(c, files)
	for _, r := range rules() {
		c.report.code = r.code
		r.check(c)
	}
	c.report.flush()
	return nil, nil
}

// inModule reports whether a package belongs to the author, that is, to the main module and not to a dependency.
// If the driver does not report modules, inModule checks whether the path of the package could belong to a module.
func inModule(module *analysis.Module, path string) bool {
	if module != nil && module.Path != "" {
		return module.Version == ""
	}
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") && !strings.HasPrefix(path, sdktypes.SDK)
}

// IsUnit reports whether args are the arguments with which go vet runs a vet tool
// (golang.org/x/tools/go/analysis/unitchecker): a request for its version or its flags, or for the analysis of
// the unit that a file describes.
func IsUnit(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return slices.Contains(args, "-V=full") || slices.Equal(args, []string{"-flags"}) || strings.HasSuffix(args[len(args)-1], ".cfg")
}

// Unit handles the request from go vet in the arguments of the process, for which [IsUnit] must return true, and
// exits.
func Unit() {
	if last := os.Args[len(os.Args)-1]; strings.HasSuffix(last, ".cfg") && slices.Contains(os.Args, "-json") {
		if err := alwaysReport(last); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", last, err)
			os.Exit(1)
		}
	}
	unitchecker.Main(Analyzer)
}

// alwaysReport changes the request in a file, and [os.Stdout], so that the cache of the go command returns the
// findings of the package each time. Go 1.26 has one entry for the facts and the findings of a package:
//   - After a request for the facts only, the entry has no findings. So every request also prints the findings.
//   - The go command does not notice that an output was removed from the cache, and does not renew the age of an
//     output that it stores again. So each output is different: it starts with the time, encoded in spaces and tabs.
func alwaysReport(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var request unitchecker.Config
	if err := json.Unmarshal(data, &request); err != nil || request.Stdout == "" { // before Go 1.26
		return err
	}
	if os.Stdout, err = os.Create(request.Stdout); err != nil {
		return err
	}
	blanks := strings.NewReplacer("0", " ", "1", "\t")
	if _, err := blanks.WriteString(os.Stdout, fmt.Sprintf("%b", time.Now().UnixNano())); err != nil {
		return err
	}
	request.Stdout, request.VetxOnly = "", false
	if data, err = json.Marshal(request); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}
