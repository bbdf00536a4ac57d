package measure

import (
	"fmt"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// Lists measures the server's CPU time in µs for a list of 100 tools. It makes two warm-up
// requests, and then one request per round.
func Lists(subjects []build.Subject, rounds int) (map[string]Sample, error) {
	const size = 10
	result := map[string]Sample{}
	sessions := make([]*drive.Session, len(subjects))
	for i, subject := range subjects {
		s, err := open(subject.Command(100), nil, request.Sessions)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", subject.Name, err)
		}
		sessions[i] = s
	}
	lines := make([]string, size)
	for i := range lines {
		lines[i] = request.List(request.Sessions, i+1)
	}
	for round := range rounds + 1 {
		for i, subject := range subjects {
			cpu, _, err := piece(sessions[i], lines, 1)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", subject.Name, err)
			}
			if round > 0 {
				result[subject.Name] = append(result[subject.Name], micros(cpu)/size)
			}
		}
	}
	for i, s := range sessions {
		if _, err := s.Close(); err != nil {
			return nil, fmt.Errorf("%s: %w", subjects[i].Name, err)
		}
	}
	return result, nil
}
