package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
)

// TestScripts runs the scripts in testdata/script, each with its own server. UPDATE_SCRIPTS=1 rewrites the
// expected output.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			pre := cratestest.Sample("2.0.0-rc.1")
			pre.Name = "early-tea"
			bare := cratestest.Sample("1.0.0", "0.9.0")
			bare.Name = "bare"
			bare.Versions[0].Docs = nil
			gone := cratestest.Sample("1.0.0")
			gone.Name, gone.Versions[0].Yanked = "gone", true
			s := cratestest.New(cratestest.Sample("1.2.0", "1.1.0", "0.9.0"), pre, bare, gone)
			env.Defer(s.Close)
			env.Vars = append(env.Vars, "BOOKWORM_CRATES_IO_URL="+s.URL, "BOOKWORM_DOCS_RS_URL="+s.URL, "BOOKWORM_CACHE_DIR="+env.WorkDir+"/cache", "WRM_LOG=warn",
				"GORACE="+os.Getenv("GORACE"))
			return nil
		},
	})
}
