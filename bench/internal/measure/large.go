package measure

import (
	"fmt"
	"time"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// LargeSize is the size in bytes of the text in a large call.
const LargeSize = 15_000_000

// Large is the cost of a call with [LargeSize] bytes of text.
type Large struct {
	PeakRSS float64 // bytes
	CPU     float64 // ms, from start to end
	Wall    float64 // ms, of the call
}

// LargeCalls makes a large call to each subject, in a separate process.
func LargeCalls(subjects []build.Subject) (map[string]Large, error) {
	line := request.Call(request.Sessions, 1, request.Large(LargeSize))
	result := map[string]Large{}
	for _, subject := range subjects {
		s, err := open(subject.Command(1), nil, request.Sessions)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", subject.Name, err)
		}
		begin := time.Now()
		answer, err := s.Ask(line)
		if err == nil {
			err = drive.Succeeded(answer)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", subject.Name, err)
		}
		wall := time.Since(begin)
		used, err := s.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", subject.Name, err)
		}
		result[subject.Name] = Large{float64(used.PeakRSS), millis(used.CPU), millis(wall)}
	}
	return result, nil
}
