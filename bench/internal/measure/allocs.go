package measure

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/request"
)

// Allocs is the number of allocations that a server makes for a call.
type Allocs struct {
	Objects, Bytes float64
}

// Allocations counts the allocations of sequential calls in the subjects that have a binary with
// the probe.
func Allocations(subjects []build.Subject, dir string) (map[string]map[request.Era]Allocs, error) {
	return allocations(subjects, func(s build.Subject, era request.Era, n int) (Allocs, error) {
		return measureAllocs(s.Probed, dir, era, n)
	})
}

// allocations returns the difference between the allocations of many calls and of few calls, which
// excludes the allocations of the start.
func allocations(subjects []build.Subject, of func(build.Subject, request.Era, int) (Allocs, error)) (map[string]map[request.Era]Allocs, error) {
	const few, many = 500, 4500
	result := map[string]map[request.Era]Allocs{}
	for _, subject := range subjects {
		if subject.Probed == nil {
			continue
		}
		result[subject.Name] = map[request.Era]Allocs{}
		for _, era := range request.Eras {
			less, err := of(subject, era, few)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", subject.Name, err)
			}
			more, err := of(subject, era, many)
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

// measureAllocs returns the allocations of a server that handles n calls.
func measureAllocs(command []string, dir string, era request.Era, n int) (Allocs, error) {
	env, file := countingEnv(dir)
	s, err := open(command, env, era)
	if err != nil {
		return Allocs{}, err
	}
	if err := s.Calls(calls(era, n), 1); err != nil {
		return Allocs{}, err
	}
	if _, err := s.Close(); err != nil {
		return Allocs{}, err
	}
	return counts(file)
}

// allocatedOverHTTP returns the allocations of an HTTP server that handles n calls.
func allocatedOverHTTP(subject build.Subject, era request.Era, dir string, n int) (Allocs, error) {
	env, file := countingEnv(dir)
	s, err := serveHTTP(append(slices.Clone(subject.Probed), subject.HTTP(era)...), env, era)
	if err != nil {
		return Allocs{}, err
	}
	callers, err := s.callers(1)
	if err == nil {
		err = errors.Join(callers[0].calls(n), callers[0].Close())
	}
	if err != nil {
		s.Kill()
		return Allocs{}, err
	}
	if _, err := s.Close(); err != nil {
		return Allocs{}, err
	}
	return counts(file)
}

// countingEnv returns the environment variable that makes a binary write its counts to a file, and the
// path of the file.
func countingEnv(dir string) (env []string, file string) {
	file = filepath.Join(dir, "probe.txt")
	return []string{"BENCH_PROBE=" + file}, file
}

// counts reads the counts that a probe wrote.
func counts(file string) (Allocs, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Allocs{}, err
	}
	var a Allocs
	if _, err := fmt.Sscan(string(text), &a.Objects, &a.Bytes); err != nil {
		return Allocs{}, fmt.Errorf("reading the counts of the probe: %w", err)
	}
	return a, os.Remove(file)
}
