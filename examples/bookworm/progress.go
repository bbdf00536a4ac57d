package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress returns functions that show and end the progress of a download: a bar on a terminal, and otherwise a
// line for every 10 percent. The caller must call end.
func progress(w io.Writer, what string) (show func(done, total int64), end func()) {
	if isTerminal(w) {
		var bar *progressbar.ProgressBar
		show = func(done, total int64) {
			if bar == nil {
				if total <= 0 {
					total = -1
				}
				bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what),
					progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
			}
			_ = bar.Set64(done) // errors are ignored, because the terminal may be closed
		}
		return show, func() {
			if bar != nil {
				_ = bar.Clear()
			}
		}
	}
	const least = 1 << 20
	next, all := int64(least), false
	show = func(done, total int64) {
		if all || done < next && done != total {
			return
		}
		next, all = done+max(total/10, least), done == total
		if total > 0 {
			fmt.Fprintf(w, "%s: %s of %s\n", what, size(done), size(total))
		} else {
			fmt.Fprintf(w, "%s: %s\n", what, size(done))
		}
	}
	return show, func() {}
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// size formats a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
