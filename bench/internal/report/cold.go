package report

import (
	"fmt"
	"strings"

	"github.com/jptool/jptool/bench/internal/measure"
)

// cold writes the costs of one search in a new process as a table.
func (f *Figures) cold(b *strings.Builder) {
	var rows [][]string
	for _, size := range measure.ColdSizes {
		baseline := f.Cold[measure.Scan][size].CPU.Median()
		for _, name := range []string{measure.Scan, measure.OneShot, measure.Serving} {
			c, peak := f.Cold[name][size], "–"
			if c.PeakRSS > 0 {
				peak = fmt.Sprintf("%.1f", c.PeakRSS/1e6)
			}
			rows = append(rows, []string{name, fmt.Sprint(size), fmt.Sprintf("%.1f (%.1f)", c.Wall.Median(), c.Wall.Min()),
				fmt.Sprintf("%.1f (%.1f)", c.CPU.Median(), c.CPU.Min()), fmt.Sprintf("%.2f", c.CPU.Median()/baseline), peak})
		}
	}
	table(b, "Cold call: one search in a new examples/grizzly process, compared with a LIKE query", []string{"", "notes", "ms", "CPU ms", "CPU relative to LIKE", "peak MB"}, rows)
}
