package jptest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// comparisons caches the result of compare for each file, because many tests create a kit.
var comparisons sync.Map

// checkGenerated fails the test if the generated code of s is older than its source.
func checkGenerated(t testing.TB, s *sdk.Server) {
	t.Helper()
	file := s.Source()
	if path.Base(filepath.ToSlash(file)) != declared.Code {
		return
	}
	once, _ := comparisons.LoadOrStore(file, sync.OnceValues(func() (string, error) { return compare(file, s.Contract()) }))
	difference, err := once.(func() (string, error))()
	switch {
	case err != nil:
		t.Logf("the generated code of server %s is not compared with its source: %v", s.Name(), err)
	case difference != "":
		t.Errorf("%s", difference)
	}
}

// compare returns how the generated code or the contract of a program differs from its source, or "".
func compare(file string, built *manifest.Server) (difference string, err error) {
	dir, err := sourceDir(file)
	if err != nil {
		return "", err
	}
	found, err := declared.Check(dir)
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		return fmt.Sprintf("the generated code of server %s is out of date:\n%s\nrun \"go generate\" in %s", built.Name, list(dir, found), dir), nil
	}
	contract := filepath.Join(dir, declared.Contract)
	text, readErr := os.ReadFile(contract)
	own, writeErr := built.Write()
	err = errors.Join(readErr, writeErr)
	if err == nil && !bytes.Equal(own, bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))) {
		difference = fmt.Sprintf("the program was built with a different contract from %s; build it again", contract)
	}
	return difference, err
}

// sourceDir returns the directory of a generated file, from the path that the compiler recorded.
func sourceDir(file string) (string, error) {
	if strings.Contains(file, "@v") {
		return "", errors.New("it is in the module cache")
	}
	dir := filepath.Dir(filepath.FromSlash(file))
	if !filepath.IsAbs(dir) { // built with -trimpath
		var stderr bytes.Buffer
		cmd := exec.Command("go", "list", "-find", "-f", "{{.Dir}}", "--", path.Dir(file))
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("go list %s: %w: %s", path.Dir(file), err, bytes.TrimSpace(stderr.Bytes()))
		}
		dir = strings.TrimSpace(string(out))
	}
	if _, err := os.Stat(filepath.Join(dir, declared.Code)); err != nil {
		return "", err
	}
	return dir, nil
}

// maxDifferences is the maximum number of differences in a message.
const maxDifferences = 10

// list returns a line for each difference.
func list(dir string, found []declared.Difference) string {
	var lines []string
	for _, d := range found[:min(len(found), maxDifferences)] {
		place := d.Pos.Filename
		if rel, err := filepath.Rel(dir, place); err == nil {
			place = rel
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", place, d.Pos.Line, d.Says))
	}
	if more := len(found) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}
