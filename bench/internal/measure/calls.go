package measure

import (
	"fmt"
	"slices"
	"time"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// A Style says how calls follow each other.
type Style struct {
	Name   string
	Window int // calls in flight
}

// Styles are the measured styles.
var Styles = []Style{{"sequential", 1}, {"pipelined", drive.Window}}

// A Variant is a combination of a generation of MCP and a style.
type Variant struct {
	Era   request.Era
	Style Style
}

// Variants returns all variants.
func Variants() []Variant {
	var all []Variant
	for _, era := range request.Eras {
		for _, style := range Styles {
			all = append(all, Variant{era, style})
		}
	}
	return all
}

// Calls is the cost of calls for one subject and variant.
type Calls struct {
	CPU  Sample // µs of the server's CPU time per call
	Wall Sample // µs per call
}

// ByVariant holds the cost of calls, keyed by subject name.
type ByVariant map[string]map[Variant]Calls

// Throughput measures calls. For each subject and variant, it makes size calls in each of the rounds.
func Throughput(subjects []build.Subject, rounds, size int) (ByVariant, error) {
	result := ByVariant{}
	// Each generation has its own process, because some servers derive the generation of all requests from the
	// first one.
	for _, era := range request.Eras {
		subjects := subjectsFor(subjects, era)
		sessions := make([]*drive.Session, len(subjects))
		for i, subject := range subjects {
			s, err := open(subject.Command(1), nil, era)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", subject.Name, err)
			}
			sessions[i] = s
			if result[subject.Name] == nil {
				result[subject.Name] = map[Variant]Calls{}
			}
		}
		lines := calls(era, size)
		for round := range rounds + 1 {
			for _, style := range Styles {
				for i, subject := range subjects {
					cpu, wall, err := piece(sessions[i], lines, style.Window)
					if err != nil {
						return nil, fmt.Errorf("%s: %w", subject.Name, err)
					}
					if round == 0 {
						continue // this round warms up
					}
					variant := Variant{era, style}
					c := result[subject.Name][variant]
					c.CPU = append(c.CPU, micros(cpu)/float64(size))
					c.Wall = append(c.Wall, micros(wall)/float64(size))
					result[subject.Name][variant] = c
				}
			}
		}
		for i, s := range sessions {
			if _, err := s.Close(); err != nil {
				return nil, fmt.Errorf("%s: %w", subjects[i].Name, err)
			}
		}
	}
	return result, nil
}

// subjectsFor returns the subjects that support a generation.
func subjectsFor(subjects []build.Subject, era request.Era) []build.Subject {
	return slices.DeleteFunc(slices.Clone(subjects), func(s build.Subject) bool {
		return s.SessionsOnly && era != request.Sessions
	})
}

// piece sends lines and returns the server's CPU time and the elapsed time.
func piece(s *drive.Session, lines []string, window int) (cpu, wall time.Duration, err error) {
	before, err := s.CPU()
	if err != nil {
		return 0, 0, err
	}
	start := time.Now()
	if err := s.Calls(lines, window); err != nil {
		return 0, 0, err
	}
	wall = time.Since(start)
	after, err := s.CPU()
	return after - before, wall, err
}

// open starts a server and prepares it for calls of a generation.
func open(command, env []string, era request.Era) (*drive.Session, error) {
	s, err := drive.Start(command, env, limit)
	if err != nil {
		return nil, err
	}
	if era == request.Sessions {
		return s, s.Open()
	}
	return s, nil
}

// calls returns n calls with different ids.
func calls(era request.Era, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = request.Call(era, i+1, request.Arguments)
	}
	return lines
}
