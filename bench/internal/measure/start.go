package measure

import (
	"fmt"
	"time"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// Start is the cost of starting a server.
type Start struct {
	Initialize, List, Call Sample // ms from the start to each response
	Exit                   Sample // ms from the end of input to the exit of the process
	CPU                    Sample // ms in total
	PeakRSS                Sample // bytes
}

// BySize holds the costs of starts, keyed by subject name and number of tools.
type BySize map[string]map[int]Start

// StartUp starts each subject with each number of tools, rounds times. Subjects whose starts are compared
// closely are started at least close times.
func StartUp(subjects []build.Subject, sizes []int, rounds, close int) (BySize, error) {
	result := BySize{}
	for round := range max(rounds, close) + 1 {
		for _, subject := range subjects {
			for _, size := range sizes {
				if size > 100 && subject.Name != build.Jptool || round > rounds && !isTightlyLimited(subject.Name, size) {
					continue
				}
				if result[subject.Name] == nil {
					result[subject.Name] = map[int]Start{}
				}
				start := result[subject.Name][size]
				if round == 0 {
					start = Start{}
				}
				if err := start.add(subject.Command(size)); err != nil {
					return nil, fmt.Errorf("%s with %d tools: %w", subject.Name, size, err)
				}
				if round > 0 { // the first start only fills the file cache
					result[subject.Name][size] = start
				}
			}
		}
	}
	return result, nil
}

// isTightlyLimited reports whether a promise limits the start time of a subject with the given number of tools to a few
// percent more than that of another subject.
func isTightlyLimited(name string, size int) bool {
	return name == build.Jptool && (size == 10 || size == 1000) || name == build.Baseline && size == 10
}

// add starts a server once and adds the measured costs.
func (st *Start) add(command []string) error {
	begin := time.Now()
	s, err := drive.Start(command, nil, time.Minute)
	if err != nil {
		return err
	}
	if err := s.Open(); err != nil {
		return err
	}
	opened := time.Since(begin)
	if _, err := s.Ask(request.List(request.Sessions, 1)); err != nil {
		return err
	}
	listed := time.Since(begin)
	answer, err := s.Ask(request.Call(request.Sessions, 2, request.Arguments))
	if err == nil {
		err = drive.Succeeded(answer)
	}
	if err != nil {
		return err
	}
	called := time.Since(begin)
	end := time.Now()
	used, err := s.Close()
	if err != nil {
		return err
	}
	st.Initialize = append(st.Initialize, millis(opened))
	st.List = append(st.List, millis(listed))
	st.Call = append(st.Call, millis(called))
	st.Exit = append(st.Exit, millis(time.Since(end)))
	st.CPU = append(st.CPU, millis(used.CPU))
	st.PeakRSS = append(st.PeakRSS, float64(used.PeakRSS))
	return nil
}
