// Command soak calls a server a million times with all kinds of calls, and fails if the server leaks memory,
// goroutines, descriptors or threads.
//
//	go run ./soak
//	go run ./soak -calls 10000000
//	go run ./soak -http                  # over HTTP
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
	"github.com/jptool/jptool/bench/internal/soak"
)

// samples is the number of samples in a run.
const samples = 200

func main() {
	calls := flag.Int("calls", 1_000_000, "number of calls; half of them use MCP 2025-11-25 and half use 2026-07-28")
	http := flag.Bool("http", false, "call over HTTP instead of stdio")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *calls, *http)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, calls int, http bool) error {
	if calls < 100*samples {
		return fmt.Errorf("invalid -calls %d: must be at least %d", calls, 100*samples)
	}
	dir, err := filepath.Abs("_work")
	if err != nil {
		return err
	}
	workspace := build.Workspace{Dir: dir}
	if err := workspace.Compiler(ctx); err != nil {
		return err
	}
	stress, err := workspace.Stress(ctx)
	if err != nil {
		return err
	}
	var faults []error
	for _, era := range request.Eras {
		command, run := []string{stress}, soak.Run
		if http {
			command, run = append(command, drive.Address...), soak.RunHTTP
		}
		r, err := run(ctx, command, era, calls/len(request.Eras), samples)
		if err != nil {
			return fmt.Errorf("%s: %w", era, err)
		}
		first, last := r.Samples[samples/10], r.Samples[samples-1]
		fmt.Printf("%s: %d calls in %s, %.0f per second\n", era, r.Calls, r.Took.Round(time.Second), float64(r.Calls)/r.Took.Seconds())
		fmt.Printf("  memory      %.1f MiB after a tenth, %.1f MiB at the end, %+.1f KiB per 100,000 calls\n", mib(first.RSS), mib(last.RSS), r.Growth()/1024)
		fmt.Printf("  goroutines  %d, then %d\n  descriptors %d, then %d\n  threads     %d, then %d\n",
			r.GoroutinesBefore, r.GoroutinesAfter, first.Files, last.Files, first.Threads, last.Threads)
		if err := r.Flat(); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", era, err))
		}
	}
	return errors.Join(faults...)
}

func mib(bytes int) float64 { return float64(bytes) / (1 << 20) }
