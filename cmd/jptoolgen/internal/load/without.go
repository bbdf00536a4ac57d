package load

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

// generatedFiles returns the generated files of the loaded packages and of their imports in the main modules, if
// the go command reports an error in one of them. The cause may be a generated file that cannot be parsed, has a
// former package name, or imports a missing package. It ignores errors from the Go compiler.
func generatedFiles(loaded []*packages.Package) []string {
	var generated []string
	wrong := false
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if p.Module == nil || !p.Module.Main || p.Dir == "" {
			return
		}
		for _, e := range p.Errors {
			wrong = wrong || e.Kind != packages.TypeError && !fromCompiler(e)
		}
		name := filepath.Join(p.Dir, Generated)
		if _, err := os.Stat(name); err == nil {
			generated = append(generated, name)
		}
	})
	if !wrong {
		return nil
	}
	return generated
}

// loadWithout loads packages as if the given files did not exist. It uses the overlay of the go command, because
// the overlay of go/packages makes it read all dependencies from source.
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
		return nil, fmt.Errorf("replacing generated files: %w", err)
	}
	defer os.RemoveAll(dir)
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, table, 0o600); err != nil {
		return nil, fmt.Errorf("replacing generated files: %w", err)
	}
	with := *config
	with.BuildFlags = append([]string{"-overlay=" + overlay}, config.BuildFlags...)
	return packages.Load(&with, patterns...)
}
