// Package report writes the measurements as Markdown.
package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/measure"
	"github.com/jptool/jptool/bench/internal/request"
)

// Figures holds all measurements.
type Figures struct {
	Subjects   []build.Subject
	Calls      measure.ByVariant
	Starts     measure.BySize
	Lists      map[string]measure.Sample
	Allocs     map[string]map[request.Era]measure.Allocs
	Large      map[string]measure.Large
	Cold       map[string]map[int]measure.Cold
	Generation map[int]measure.Generation
	HTTP       *measure.HTTP
}

// Markdown returns the figures as tables, with the promised ratios first.
func (f *Figures) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Comparison with other SDKs\n\n%s", about)
	machine(&b)
	f.promises(&b)
	for _, part := range []struct {
		taken bool
		write func(*strings.Builder)
	}{
		{f.Calls != nil, f.calls}, {f.Starts != nil, f.startTables}, {f.Lists != nil || f.Allocs != nil || f.Large != nil, f.rest},
		{f.HTTP != nil, f.http}, {f.Cold != nil, f.cold}, {f.Generation != nil, f.generation},
	} {
		if part.taken {
			part.write(&b)
		}
	}
	return b.String()
}

const about = "Written by `make bench`. Each SDK serves the same tool, with eight inputs and six outputs, over stdio or HTTP.\n" +
	"One driver measures the servers in turn, in a single run. The machine is shared, so compare ratios, not absolute times.\n" +
	"The values are medians, with the smallest values in brackets. Servers in Go are built like releases: static\n" +
	"(CGO_ENABLED=0), trimmed and stripped. \"baseline\" is a process without an SDK that does not read the arguments. It shows\n" +
	"the cost of the process and its pipes.\n"

// table writes a table whose first column is text.
func table(b *strings.Builder, title string, head []string, rows [][]string) {
	fmt.Fprintf(b, "\n## %s\n\n| %s |\n|---%s|\n", title, strings.Join(head, " | "), strings.Repeat("|--:", len(head)-1))
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}

// cpu returns the geometric mean of the CPU times of a call, over every generation of the protocol and
// every style of calling. pick selects a value from each sample. cpu returns 0 if the subject does not
// support all of them.
func (f *Figures) cpu(name string, pick func(measure.Sample) float64) float64 {
	sum := 0.0
	for _, variant := range measure.Variants() {
		c, ok := f.Calls[name][variant]
		if !ok {
			return 0
		}
		sum += math.Log(pick(c.CPU))
	}
	return math.Exp(sum / float64(len(measure.Variants())))
}

func (f *Figures) calls(b *strings.Builder) {
	head := []string{"server CPU per call, µs"}
	for _, variant := range measure.Variants() {
		head = append(head, fmt.Sprintf("%s, %s", variant.Era, variant.Style.Name))
	}
	head = append(head, "geometric mean", "relative to go-sdk typed")
	var rows, rates [][]string
	for _, s := range f.Subjects {
		row, rate := []string{s.Name}, []string{s.Name}
		for _, variant := range measure.Variants() {
			c, ok := f.Calls[s.Name][variant]
			if !ok {
				row, rate = append(row, "–"), append(rate, "–")
				continue
			}
			row = append(row, fmt.Sprintf("%.1f (%.1f)", c.CPU.Median(), c.CPU.Min()))
			rate = append(rate, fmt.Sprintf("%.0f", 1e6/c.Wall.Median()))
		}
		mean := f.cpu(s.Name, measure.Sample.Median)
		if mean == 0 {
			rows = append(rows, append(row, "–", "–"))
		} else {
			rows = append(rows, append(row, fmt.Sprintf("%.1f", mean), fmt.Sprintf("%.3f", mean/f.cpu(build.Typed, measure.Sample.Median))))
		}
		rates = append(rates, rate)
	}
	table(b, "Calls: CPU", head, rows)
	head = head[:len(head)-2]
	head[0] = "calls per second"
	table(b, "Calls: rate", head, rates)
}

func (f *Figures) startTables(b *strings.Builder) {
	head := []string{"ms from the start", "tools", "initialize", "tools/list", "first call", "total CPU", "exit after end of input", "peak MB"}
	var rows [][]string
	for _, s := range f.Subjects {
		for _, n := range build.Sizes {
			st, ok := f.Starts[s.Name][n]
			if !ok {
				continue
			}
			row := []string{s.Name, fmt.Sprint(n)}
			for _, sample := range []measure.Sample{st.Initialize, st.List, st.Call, st.CPU} {
				row = append(row, fmt.Sprintf("%.2f (%.2f)", sample.Median(), sample.Min()))
			}
			rows = append(rows, append(row, fmt.Sprintf("%.2f", st.Exit.Median()), fmt.Sprintf("%.1f", st.PeakRSS.Median()/1e6)))
		}
	}
	table(b, "Start", head, rows)
	b.WriteString(linked)
}

// linked describes the part of the start time that the server's own code does not cause.
const linked = "\nThe \"go-sdk raw\" rows with one tool show the cost of linking go-sdk. According to GODEBUG=inittrace=1, its packages\n" +
	"take about 1 ms to initialize; the packages of the baseline take 0.1 ms. encoding/gob and jsonschema-go take the longest, at 0.15 ms\n" +
	"each. The rest of the difference is in the kernel: the binary is five times as large, and twice as many of its pages are\n" +
	"loaded.\n"

func (f *Figures) rest(b *strings.Builder) {
	head := []string{"", "tools/list with 100 tools, CPU µs", "allocated objects per call in a session", "KiB", "allocated objects per call without a session", "KiB", "peak MB of a 15 MB argument", "binary, MB"}
	var rows [][]string
	for _, s := range f.Subjects {
		row := []string{s.Name, fmt.Sprintf("%.0f (%.0f)", f.Lists[s.Name].Median(), f.Lists[s.Name].Min())}
		for _, era := range request.Eras {
			if a, ok := f.Allocs[s.Name][era]; ok {
				row = append(row, fmt.Sprintf("%.1f", a.Objects), fmt.Sprintf("%.2f", a.Bytes/1024))
			} else {
				row = append(row, "–", "–")
			}
		}
		row = append(row, fmt.Sprintf("%.0f", f.Large[s.Name].PeakRSS/1e6))
		rows = append(rows, append(row, size(s.Command(1)[0])))
	}
	table(b, "Lists, memory, size", head, rows)
}

func (f *Figures) generation(b *strings.Builder) {
	var rows [][]string
	for _, n := range build.Sizes {
		g := f.Generation[n]
		rows = append(rows, []string{
			fmt.Sprint(n), fmt.Sprintf("%.0f (%.0f)", g.Jptoolgen.Median(), g.Jptoolgen.Min()),
			fmt.Sprintf("%.0f (%.0f)", g.List.Median(), g.List.Min()),
			fmt.Sprintf("%.2f", g.Jptoolgen.Median()/g.List.Median()), fmt.Sprint(g.Wrote),
		})
	}
	table(b, "jptoolgen on unchanged source", []string{"tools", "jptoolgen, ms", "go list -export -deps, ms", "ratio", "wrote a file"}, rows)
}
