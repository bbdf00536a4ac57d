package measure

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/drive"
)

// Cold is the cost of one search in a new process.
type Cold struct {
	Wall, CPU Sample  // ms, from start to end
	PeakRSS   float64 // bytes; 0 if not measured
}

// ColdSizes are the numbers of notes that cold calls search.
var ColdSizes = []int{1_000, 20_000}

// The programs of cold calls.
const (
	Scan    = "LIKE in SQLite"
	OneShot = "grizzly call"
	Serving = "grizzly, first search"
)

// ColdCalls measures searches with the grizzly example. The result is keyed by program and number of notes.
func ColdCalls(ctx context.Context, workspace build.Workspace, rounds int) (map[string]map[int]Cold, error) {
	scan, grizzly, err := workspace.Cold(ctx)
	if err != nil {
		return nil, err
	}
	result := map[string]map[int]Cold{Scan: {}, OneShot: {}, Serving: {}}
	for _, size := range ColdSizes {
		file := filepath.Join(workspace.Dir, fmt.Sprintf("notes-%d.sqlite", size))
		if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		if err := build.Run(ctx, workspace.Dir, scan, "-notes", strconv.Itoa(size), file); err != nil {
			return nil, err
		}
		const search = `{"name":"note_search","arguments":{"queries":["xylophone"]}}`
		for range rounds {
			for name, command := range map[string][]string{Scan: {scan, file}, OneShot: {grizzly, "--db", file, "call", "note_search", search}} {
				c := result[name][size]
				if err := c.run(ctx, command); err != nil {
					return nil, err
				}
				result[name][size] = c
			}
			c := result[Serving][size]
			if err := c.serve([]string{grizzly, "--db", file}, search); err != nil {
				return nil, err
			}
			result[Serving][size] = c
		}
	}
	return result, nil
}

// run measures a process without input.
func (c *Cold) run(ctx context.Context, command []string) error {
	begin := time.Now()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	out, err := cmd.CombinedOutput()
	if err != nil || bytes.Contains(out, []byte(`"type":"error"`)) {
		return fmt.Errorf("%s: %w: %s", command, err, out)
	}
	c.Wall = append(c.Wall, millis(time.Since(begin)))
	c.CPU = append(c.CPU, millis(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()))
	return nil
}

// serve measures the first call to a server.
func (c *Cold) serve(command []string, call string) error {
	begin := time.Now()
	s, err := drive.Start(command, nil, time.Minute)
	if err != nil {
		return err
	}
	if err := s.Open(); err != nil {
		return err
	}
	answer, err := s.Ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + call + `}`)
	if err == nil {
		err = drive.Succeeded(answer)
	}
	if err != nil {
		return err
	}
	c.Wall = append(c.Wall, millis(time.Since(begin)))
	used, err := s.Close()
	c.CPU = append(c.CPU, millis(used.CPU))
	c.PeakRSS = max(c.PeakRSS, float64(used.PeakRSS))
	return err
}
