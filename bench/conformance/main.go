// Command conformance runs MCP's official conformance suite on the conformance server, over stdio and
// over HTTP, with and without sessions, and on jptoolgen as a client, in both generations of the protocol.
//
//	go run ./conformance [-v] [-only client]
//
// The suite comes from npm at the version in package-lock.json, and needs Node.js 22. On Linux, npm
// also installs Node.js. Without npm, the command prints a message and runs nothing. The findings
// of the suite must be exactly the findings in expected.txt.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"text/tabwriter"

	"github.com/jptool/jptool/bench/internal/build"
)

func main() {
	verbose := flag.Bool("v", false, "print the output of the suite")
	only := flag.String("only", "", "run only `stdio`, http, stateless or client")
	jptoolgen := flag.String("client", "", "act as the client of the suite: run this `jptoolgen` against the URL in the next argument")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var err error
	if *jptoolgen != "" {
		err = runClient(ctx, *jptoolgen, flag.Arg(0))
	} else {
		err = run(ctx, *only, *verbose)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string, verbose bool) error {
	if _, err := exec.LookPath("npm"); err != nil {
		fmt.Fprintln(os.Stderr, "conformance: NOT RUN, npm is not installed")
		return nil
	}
	expected, err := readExpected(filepath.Join("conformance", "expected.txt"))
	if err != nil {
		return err
	}
	work, err := filepath.Abs(filepath.Join("_work", "conformance"))
	if err != nil {
		return err
	}
	suite, err := install(ctx, work)
	if errors.Is(err, errNotRun) {
		fmt.Fprintln(os.Stderr, "conformance: NOT RUN,", err)
		return nil
	}
	if err != nil {
		return err
	}
	suite.verbose = verbose
	if err := build.Run(ctx, ".", "go", "build", "-o", work+string(filepath.Separator), "github.com/jptool/jptool/internal/conformance/server", "github.com/jptool/jptool/cmd/jptoolgen"); err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "transport\tversion\tscenarios required\tpassed\tchecks passed")
	var wrong []string
	for _, transport := range []string{"stdio", "http", "stateless", "client"} {
		if only != "" && only != transport {
			continue
		}
		for _, version := range []string{"2025-11-25", "2026-07-28"} {
			r, err := runSuite(ctx, suite, transport, version)
			if err != nil {
				return fmt.Errorf("%s %s: %w", transport, version, err)
			}
			fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\n", transport, version, len(r.required), r.countPassed(), r.successes)
			wrong = append(wrong, expected.compare(transport, version, r)...)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, w := range wrong {
		fmt.Println(w)
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%d differences from conformance/expected.txt", len(wrong))
	}
	return nil
}

// runSuite runs the suite for a protocol version on the server, or on the client.
func runSuite(ctx context.Context, s suite, transport, version string) (*results, error) {
	out := filepath.Join(s.dir, "out-"+transport+"-"+version)
	if transport == "client" {
		return s.runClient(ctx, version, out)
	}
	serve, server := serveHTTP(), filepath.Join(s.dir, "server")
	switch transport {
	case "stdio":
		serve = serveBridge
	case "stateless":
		serve = serveHTTP("--http-stateless")
	}
	url, stop, err := serve(ctx, server)
	if err != nil {
		return nil, err
	}
	defer stop()
	return s.runServer(ctx, url, version, out)
}
