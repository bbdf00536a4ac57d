package drive

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// cpuOf returns the CPU time of a process from its clock. The clock id is computed from the process id as in
// clock_getcpuclockid(3).
func cpuOf(pid int) (time.Duration, error) {
	const scheduled = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid)<<3|scheduled, &t); err != nil {
		return 0, fmt.Errorf("reading the CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// Peak returns the peak memory of a running process in bytes. The rusage of an ended process cannot be used,
// because it starts with the memory of the driver.
func Peak(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, text, _ := strings.Cut(string(status), "VmHWM:")
	var kib int64
	if _, err := fmt.Sscan(text, &kib); err != nil {
		return 0, fmt.Errorf("reading the peak memory of process %d: %w", pid, err)
	}
	return kib << 10, nil
}

// Resident returns the current resident memory of a process in bytes.
func Resident(pid int) (int, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	var size, pages int
	if _, err := fmt.Sscan(string(data), &size, &pages); err != nil {
		return 0, err
	}
	return pages * os.Getpagesize(), nil
}
