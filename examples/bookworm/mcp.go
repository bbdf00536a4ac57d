package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jptool/jptool/examples/bookworm/internal/crates"
	"github.com/jptool/jptool/examples/bookworm/internal/library"
	"github.com/jptool/jptool/sdk"
)

// serve implements the mcp command: it runs the server, which has the flags of every jptool server.
func serve(ctx context.Context, args []string, c console) int {
	log, err := readLogging()
	if err != nil {
		fmt.Fprintln(c.err, "error:", err)
		return sdk.ExitUsage
	}
	tools := new(crates.Crates)
	server := crates.NewServer(tools)
	server.SetCommand("bookworm mcp")
	server.SetDefault("log-level", log.level)
	if log.to != nil {
		defer log.to.Close()
		server.SetLog(log.to)
	}
	server.Variable("WRM_LOG", "The default of --log-level.", false)
	server.Variable("WRM_LOG_FILE", "The file for the log; without it, the log goes to standard error.", false)
	for _, flag := range slices.Sorted(maps.Keys(variables)) {
		server.Variable(variables[flag], "The default of --"+flag+".", false)
	}
	var s settings
	s.define(server.Flags())
	var opened *library.Library
	server.OnStart(func(context.Context) error {
		opened, err = s.open()
		tools.Library = opened
		return err
	})
	status := server.Run(ctx, args, nil)
	if opened != nil {
		opened.Close()
	}
	return status
}
