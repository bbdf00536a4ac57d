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

// A comparison is the result of comparing the generated code of a server with its source.
type comparison struct {
	dir   string
	found []declared.Difference
	// other means that the program has a different contract from the file next to the source.
	other bool
	err   error // why nothing was compared
}

// comparisons caches one comparison for each file of generated code, as a func() comparison. Caching is safe
// because the source does not change while the tests of a process run, and useful because many tests create a
// kit.
var comparisons sync.Map

// checkGenerated fails the test if the generated code of s is older than its source.
func checkGenerated(t testing.TB, s *sdk.Server) {
	t.Helper()
	file := s.Source()
	if path.Base(filepath.ToSlash(file)) != declared.Code {
		return
	}
	once, _ := comparisons.LoadOrStore(file, sync.OnceValue(func() comparison { return compare(file, s.Contract()) }))
	once.(func() comparison)().report(t, s.Name())
}

// report reports the result for a server.
func (c comparison) report(t testing.TB, server string) {
	t.Helper()
	if c.err != nil {
		t.Logf("the generated code of server %s is not compared with its source: %v", server, c.err)
		return
	}
	if text := c.message(); text != "" {
		t.Errorf("the generated code of server %s is out of date:\n%s\nrun \"go generate\" in %s", server, text, c.dir)
	} else if c.other {
		t.Errorf("the program was built with a different contract from %s; build it again", filepath.Join(c.dir, declared.Contract))
	}
}

// compare compares generated code and the contract of the program with their source.
func compare(file string, built *manifest.Server) (c comparison) {
	if c.dir, c.err = sourceDir(file); c.err != nil {
		return c
	}
	if c.found, c.err = declared.Check(c.dir); c.err != nil || len(c.found) > 0 {
		return c
	}
	text, err := os.ReadFile(filepath.Join(c.dir, declared.Contract))
	if err != nil {
		c.err = err
		return c
	}
	own, err := built.Write()
	c.other, c.err = !bytes.Equal(own, bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))), err
	return c
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

// mostDifferences is the maximum number of differences in a message.
const mostDifferences = 10

// message returns a line for each difference, or "" if nothing differs.
func (c comparison) message() string {
	var lines []string
	for i, d := range c.found {
		if i == mostDifferences {
			lines = append(lines, fmt.Sprintf("and %d more", len(c.found)-i))
			break
		}
		place := d.Pos.Filename
		if rel, err := filepath.Rel(c.dir, place); err == nil {
			place = rel
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", place, d.Pos.Line, d.Says))
	}
	return strings.Join(lines, "\n")
}
