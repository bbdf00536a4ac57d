package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// The names of the subjects that are not written in Go.
const (
	Rust       = "rmcp (Rust)"
	TypeScript = "TypeScript SDK"
)

// buildForeign builds the servers in other languages. If a toolchain is missing or a build fails, it calls notice and
// skips the server.
func (s Workspace) buildForeign(ctx context.Context, notice func(string)) []Subject {
	var subjects []Subject
	for _, f := range []struct {
		name, tool string
		make       func(context.Context, string) (Subject, error)
	}{
		{Rust, "cargo", s.rust},
		{TypeScript, "npm", s.typeScript},
	} {
		subject, err := Subject{}, error(nil)
		if _, err = exec.LookPath(f.tool); err == nil {
			subject, err = f.make(ctx, f.name)
		}
		if err != nil {
			notice(fmt.Sprintf("skipping %s: %v", f.name, err))
			continue
		}
		subjects = append(subjects, subject)
	}
	return subjects
}

func (s Workspace) rust(ctx context.Context, name string) (Subject, error) {
	target := filepath.Join(s.Dir, "rmcp")
	err := Run(ctx, filepath.Join(filepath.Dir(s.Dir), "servers", "rmcp"), "cargo", "build", "--release", "--locked", "--target-dir", target)
	bin := filepath.Join(target, "release", "bench-rmcp")
	return Subject{Name: name, Command: func(n int) []string { return []string{bin, strconv.Itoa(n)} }}, err
}

func (s Workspace) typeScript(ctx context.Context, name string) (Subject, error) {
	dir, from := filepath.Join(s.Dir, "typescript"), filepath.Join(filepath.Dir(s.Dir), "servers", "typescript")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Subject{}, err
	}
	for _, file := range []string{"package.json", "package-lock.json", "server.mjs"} {
		text, err := os.ReadFile(filepath.Join(from, file))
		if err != nil {
			return Subject{}, err
		}
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
			return Subject{}, err
		}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return Subject{}, err
	}
	err = Run(ctx, dir, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	script := filepath.Join(dir, "server.mjs")
	return Subject{Name: name, Checks: true, Command: func(n int) []string { return []string{node, script, strconv.Itoa(n)} }}, err
}
