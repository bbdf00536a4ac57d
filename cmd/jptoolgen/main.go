// Command jptoolgen generates tool servers from annotated Go source.
//
// Run it with go generate in a package that has a //jp:server line:
//
//	//go:generate go tool jptoolgen
//
// It reads the declarations and comments of the package and writes two files into its directory: jp_gen.go,
// whose function NewServer creates a server from the annotated type, and jp.lock.json, the contract
// that the server publishes. jptoolgen --help lists the flags and the directives.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/cli"
	"github.com/jptool/jptool/cmd/jptoolgen/jpvet"
	"github.com/jptool/jptool/internal/peer"
)

func main() {
	if jpvet.IsUnit(os.Args[1:]) {
		jpvet.Unit()
	}
	debug.SetGCPercent(400) // commands run too briefly for garbage collection to be worthwhile
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	endOrphans := peer.AdoptOrphans()
	status := cli.Main(ctx, os.Args[1:])
	endOrphans()
	stop()
	os.Exit(status)
}
