package load

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

// generatedAmong returns the generated files of the packages that were loaded and of
// those they import, within the modules being worked on, if the go command finds one of
// these packages wrong: a generated file that cannot be parsed, has the former name of its
// package or imports what is not there any more may be the reason. What the compiler
// says is not meant.
func generatedAmong(loaded []*packages.Package) []string {
	var generated []string
	wrong := false
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if p.Module == nil || !p.Module.Main || p.Dir == "" {
			return
		}
		for _, e := range p.Errors {
			wrong = wrong || e.Kind != packages.TypeError && !fromCompiler(e)
		}
		if name := filepath.Join(p.Dir, Generated); exists(name) {
			generated = append(generated, name)
		}
	})
	if !wrong {
		return nil
	}
	return generated
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// loadWithout loads packages as if files were not there. The overlay of go/packages
// itself makes it read all dependencies from source; that of the go command does not.
func loadWithout(files []string, config *packages.Config, patterns []string) ([]*packages.Package, error) {
	gone := make(map[string]string, len(files))
	for _, name := range files {
		gone[name] = ""
	}
	table, err := json.Marshal(map[string]any{"Replace": gone})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "jptoolgen-")
	if err != nil {
		return nil, fmt.Errorf("laying over what is generated: %w", err)
	}
	defer os.RemoveAll(dir)
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, table, 0o600); err != nil {
		return nil, fmt.Errorf("laying over what is generated: %w", err)
	}
	with := *config
	with.BuildFlags = append([]string{"-overlay=" + overlay}, config.BuildFlags...)
	return packages.Load(&with, patterns...)
}
