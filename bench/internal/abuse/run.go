package abuse

import (
	"context"
	"iter"
	"slices"
	"sync"
)

// Run runs the trials of some groups on a server, with the given number of workers, and yields each trial with
// its fault, or nil if it passed. It skips trials that need a stress server or pipes if the target has none.
func Run(ctx context.Context, target Target, trials []Trial, groups []string, workers int) iter.Seq2[Trial, error] {
	return func(yield func(Trial, error) bool) {
		type verdict struct {
			Trial
			fault error
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		queue, verdicts := make(chan Trial), make(chan verdict)
		go func() {
			defer close(queue)
			for _, t := range trials {
				if t.NeedsStress && target.Stress == nil || t.Pipes && target.HTTP || !slices.Contains(groups, t.Group) {
					continue
				}
				select {
				case queue <- t:
				case <-ctx.Done():
					return
				}
			}
		}()
		var all sync.WaitGroup
		for range max(1, workers) {
			all.Go(func() {
				for t := range queue {
					verdicts <- verdict{t, t.Run(target)}
				}
			})
		}
		go func() {
			all.Wait()
			close(verdicts)
		}()
		for v := range verdicts {
			if ctx.Err() == nil && !yield(v.Trial, v.fault) {
				cancel()
			}
		}
	}
}
