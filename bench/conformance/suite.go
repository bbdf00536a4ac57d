package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jptool/jptool/bench/internal/build"
)

// A suite is the installed official suite.
type suite struct {
	dir, nodejs string
	verbose     bool
}

// errNotRun reports that Node.js is missing, so the suite cannot run.
var errNotRun = errors.New("the suite needs Node.js 22 or later")

const oldestNode = 22

// install installs the suite in the directory work.
func install(ctx context.Context, work string) (suite, error) {
	if err := os.MkdirAll(work, 0o755); err != nil {
		return suite{}, err
	}
	for _, file := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join("conformance", file))
		if err != nil {
			return suite{}, err
		}
		if err := os.WriteFile(filepath.Join(work, file), text, 0o644); err != nil {
			return suite{}, err
		}
	}
	if err := build.Run(ctx, work, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"); err != nil {
		return suite{}, err
	}
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	for _, node := range []string{"node", filepath.Join(work, "node_modules", "node-"+runtime.GOOS+"-"+arch, "bin", "node")} {
		if out, err := exec.CommandContext(ctx, node, "--version").Output(); err == nil && major(string(out)) >= oldestNode {
			return suite{dir: work, nodejs: node}, nil
		}
	}
	return suite{}, errNotRun
}

// major returns the first number of a version such as v24.21.0, or 0 if the text has no number.
func major(version string) int {
	first, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	n, _ := strconv.Atoi(first) // 0 is older than any version
	return n
}

// results are the results of a run of the suite.
type results struct {
	required  []string
	findings  []finding
	ran       map[string]bool
	successes int
}

// A finding is a check that did not succeed.
type finding struct {
	Scenario, Check, Message string
	Failure                  bool // otherwise a warning
}

// countPassed returns the number of required scenarios that ran without a failure.
func (r *results) countPassed() int {
	failed := map[string]bool{}
	for _, f := range r.findings {
		if f.Failure {
			failed[f.Scenario] = true
		}
	}
	n := 0
	for _, name := range r.required {
		if r.ran[name] && !failed[name] {
			n++
		}
	}
	return n
}

// runServer runs the scenarios that a protocol version requires of servers, and newer scenarios of the
// suite.
func (s suite) runServer(ctx context.Context, url, version, out string) (*results, error) {
	r, err := s.prepare("server", version, out)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	if _, err := s.node(ctx, "server", "--url", url, "--requirements", version, "-o", out); err != nil {
		return nil, err
	}
	return r, r.read(out)
}

// runClient runs the scenarios that a protocol version requires of clients, and one newer scenario.
func (s suite) runClient(ctx context.Context, version, out string) (*results, error) {
	r, err := s.prepare("client", version, out)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := self + " -client " + filepath.Join(s.dir, "jptoolgen")
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	var failed []string
	for _, name := range append(slices.Clone(r.required), "json-schema-2020-12-preservation") {
		found, err := s.node(ctx, "client", "--command", command, "--scenario", name, "--spec-version", version, "-o", out)
		if err != nil {
			return nil, err
		}
		if found {
			failed = append(failed, name)
		}
	}
	if err := r.read(out); err != nil {
		return nil, err
	}
	r.exits(failed)
	return r, nil
}

// exits adds a finding for each scenario that failed even though its checks succeeded. The client of
// such a scenario exited with an error.
func (r *results) exits(failed []string) {
	for _, name := range failed {
		if !slices.ContainsFunc(r.findings, func(f finding) bool { return f.Scenario == name }) {
			r.findings = append(r.findings, finding{name, "client-exit", "the client exited with an error, see stderr.txt", true})
		}
	}
}

// prepare removes the results of the previous run and reads the requirements of the given protocol version for the
// given role.
func (s suite) prepare(role, version, out string) (*results, error) {
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	requirements, err := os.ReadFile(filepath.Join(s.root(), "requirements", version+".yaml"))
	if err != nil {
		return nil, err
	}
	return &results{required: requiredScenarios(role, string(requirements)), ran: map[string]bool{}}, nil
}

func (s suite) root() string {
	return filepath.Join(s.dir, "node_modules", "@modelcontextprotocol", "conformance")
}

// node runs the suite with Node.js, and reports whether its exit status says that there are
// findings.
func (s suite) node(ctx context.Context, args ...string) (failed bool, err error) {
	cmd := exec.CommandContext(ctx, s.nodejs, append([]string{filepath.Join(s.root(), "dist", "index.js")}, args...)...)
	if s.verbose {
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	}
	err = cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
		return true, nil
	}
	return false, err
}

// requiredScenarios returns the scenarios that a list of requirements names for a role.
func requiredScenarios(role, yaml string) (names []string) {
	_, list, _ := strings.Cut(yaml, "\n"+role+":\n")
	for line := range strings.Lines(list) {
		name, ok := strings.CutPrefix(line, "  - ")
		if !ok {
			break
		}
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// read reads the results of the suite, which has one directory for each scenario.
func (r *results) read(out string) error {
	files, err := filepath.Glob(filepath.Join(out, "*", "checks.json"))
	if err != nil {
		return err
	}
	logins, err := filepath.Glob(filepath.Join(out, "auth", "*", "checks.json"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("the suite wrote no results to %s; use -v to print its output", out)
	}
	for _, file := range append(files, logins...) {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var checks []struct {
			ID, Status, ErrorMessage string
			Details                  struct{ Message string }
		}
		if err := json.Unmarshal(text, &checks); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		dir, err := filepath.Rel(out, filepath.Dir(file))
		if err != nil {
			return err
		}
		scenario := scenarioOf(filepath.ToSlash(dir))
		r.ran[scenario] = true
		for _, c := range checks {
			switch c.Status {
			case "SUCCESS":
				r.successes++
			case "FAILURE", "WARNING":
				r.findings = append(r.findings, finding{scenario, c.ID, c.ErrorMessage + c.Details.Message, c.Status == "FAILURE"})
			}
		}
	}
	return nil
}

// scenarioOf returns the scenario of a directory such as server-ping-2026-11-21T19-11-37-281Z, or
// ping-2026-11-21T19-11-37-281Z for clients.
func scenarioOf(dir string) string {
	const stamp = len("-2026-11-21T19-11-37-281Z")
	return strings.TrimPrefix(dir[:max(0, len(dir)-stamp)], "server-")
}
