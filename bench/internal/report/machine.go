package report

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// peers are the modules whose versions the report contains.
var peers = []string{"github.com/modelcontextprotocol/go-sdk", "github.com/mark3labs/mcp-go"}

// machine writes the machine, the date and the versions of the measurement.
func machine(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s, %d CPUs (%s), %s/%s, load %s, on %s.\n", runtime.Version(), runtime.NumCPU(), processor(),
		runtime.GOOS, runtime.GOARCH, load(), time.Now().UTC().Format(time.DateOnly))
	var versions []string
	for _, path := range peers {
		out, err := exec.Command("go", "list", "-m", path).Output()
		if err == nil {
			versions = append(versions, strings.TrimSpace(string(out)))
		}
	}
	revision := "unknown"
	if out, err := exec.Command("git", "describe", "--always", "--dirty").Output(); err == nil {
		revision = strings.TrimSpace(string(out))
	}
	fmt.Fprintf(b, "jptool %s, %s; the lock files in `servers/` list the other versions.\n", revision, strings.Join(versions, ", "))
}

func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}

// size returns the size of a binary in MB, or a dash for an interpreted program.
func size(path string) string {
	if !strings.HasPrefix(path, "/") || strings.Contains(path, "/usr/") {
		return "–"
	}
	info, err := os.Stat(path)
	if err != nil {
		return "–"
	}
	return fmt.Sprintf("%.1f", float64(info.Size())/1e6)
}
