package measure

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/request"
)

// Allocs is what a call allocates in the server.
type Allocs struct {
	Objects, Bytes float64
}

// Allocations counts what a call one by one allocates in the subjects with a probed
// binary: the difference between many calls and few, so that the start falls out.
func Allocations(subjects []build.Subject, dir string) (map[string]map[request.Era]Allocs, error) {
	const few, many = 500, 4500
	result := map[string]map[request.Era]Allocs{}
	for _, subject := range subjects {
		if subject.Probed == nil {
			continue
		}
		result[subject.Name] = map[request.Era]Allocs{}
		for _, era := range request.Eras {
			file := filepath.Join(dir, "probe.txt")
			less, err := allocated(subject.Probed, file, era, few)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", subject.Name, err)
			}
			more, err := allocated(subject.Probed, file, era, many)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", subject.Name, err)
			}
			result[subject.Name][era] = Allocs{
				Objects: max(0, more.Objects-less.Objects) / (many - few),
				Bytes:   max(0, more.Bytes-less.Bytes) / (many - few),
			}
		}
	}
	return result, nil
}

// allocated returns what a server allocated in its life of n calls.
func allocated(command []string, file string, era request.Era, n int) (Allocs, error) {
	s, err := open(command, []string{"BENCH_PROBE=" + file}, era)
	if err != nil {
		return Allocs{}, err
	}
	if err := s.Calls(calls(era, n), 1); err != nil {
		return Allocs{}, err
	}
	if _, err := s.Close(); err != nil {
		return Allocs{}, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return Allocs{}, err
	}
	var a Allocs
	if _, err := fmt.Sscan(string(text), &a.Objects, &a.Bytes); err != nil {
		return Allocs{}, fmt.Errorf("reading what the probe counted: %w", err)
	}
	return a, nil
}
