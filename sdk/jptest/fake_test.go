package jptest_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// A fake is a test that may fail without failing the test that uses it.
type fake struct {
	testing.TB // for unused methods, which panic

	mu       sync.Mutex
	failures []string
	logs     []string
	cleanups []func()
}

func (f *fake) Helper()             {}
func (f *fake) Cleanup(done func()) { f.cleanups = append(f.cleanups, done) }

func (f *fake) Logf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.logs = append(f.logs, fmt.Sprintf(format, args...))
}

func (f *fake) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures = append(f.failures, fmt.Sprintf(format, args...))
}

func (f *fake) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	runtime.Goexit()
}

// run runs a test and its cleanups until they end, and returns the test's output.
func run(test func(t testing.TB)) (failures, logs string) {
	f := &fake{}
	var done sync.WaitGroup
	done.Go(func() { test(f) }) // a fatal failure ends the goroutine
	done.Wait()
	for i := len(f.cleanups) - 1; i >= 0; i-- {
		done.Go(f.cleanups[i])
		done.Wait()
	}
	return strings.Join(f.failures, "\n"), strings.Join(f.logs, "\n")
}
