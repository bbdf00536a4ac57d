package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/measure"
	"github.com/jptool/jptool/bench/internal/request"
)

// busy is the number of connections for which ratios over HTTP are computed.
const busy = 8

// ratios holds the ratios that jptool promises over HTTP. NaN means not measured.
type ratios struct {
	apart, within, typed, plain float64
	objects, bytes, session     float64
}

// overHTTP computes the ratios. pick selects a value from each sample.
func (f *Figures) overHTTP(pick func(measure.Sample) float64) ratios {
	if f.HTTP == nil {
		nan := math.NaN()
		return ratios{nan, nan, nan, nan, nan, nan, nan}
	}
	cpu := func(name string, era request.Era) float64 {
		return pick(f.HTTP.Calls[name][measure.HTTPVariant{Era: era, Conns: busy}].CPU)
	}
	of := func(name string, era request.Era) float64 { return cpu(build.Jptool, era) / cpu(name, era) }
	both := func(name string) float64 { return math.Sqrt(of(name, request.Sessions) * of(name, request.Requests)) }
	r := ratios{
		apart: of(build.Baseline, request.Requests), within: of(build.Baseline, request.Sessions),
		typed: both(build.Typed), plain: both(build.Plain), session: f.HTTP.Idle[build.Jptool].Bytes,
	}
	for _, era := range request.Eras {
		a := f.HTTP.AboveBaseline(build.Jptool, era)
		r.objects, r.bytes = max(r.objects, a.Objects), max(r.bytes, a.Bytes)
	}
	return r
}

// http writes the tables of the measurements over HTTP.
func (f *Figures) http(b *strings.Builder) {
	head := []string{"server CPU per call, µs"}
	for _, variant := range measure.HTTPVariants() {
		head = append(head, label(variant))
	}
	var rows, rates, rest [][]string
	for _, s := range f.Subjects {
		calls, ok := f.HTTP.Calls[s.Name]
		if !ok {
			continue
		}
		row, rate := []string{s.Name}, []string{s.Name}
		for _, variant := range measure.HTTPVariants() {
			c, ok := calls[variant]
			if !ok {
				row, rate = append(row, "–"), append(rate, "–")
				continue
			}
			row = append(row, fmt.Sprintf("%.1f (%.1f)", c.CPU.Median(), c.CPU.Min()))
			rate = append(rate, fmt.Sprintf("%.0f", 1e6/c.Wall.Median()))
		}
		rows, rates = append(rows, row), append(rates, rate)
		row = []string{s.Name}
		for _, era := range request.Eras {
			a := f.HTTP.AboveBaseline(s.Name, era)
			row = append(row, fmt.Sprintf("%.1f", a.Objects), fmt.Sprintf("%.2f", a.Bytes/1024))
		}
		idle := f.HTTP.Idle[s.Name]
		rest = append(rest, append(row, fmt.Sprintf("%.2f", idle.Bytes/1024), fmt.Sprint(idle.Sessions)))
	}
	table(b, "HTTP: CPU", head, rows)
	head[0] = "calls per second"
	table(b, "HTTP: rate", head, rates)
	table(b, "HTTP: memory", []string{"excluding net/http", "allocated objects per call in a session", "KiB", "allocated objects per call without a session", "KiB",
		"KiB per idle session", "idle sessions"}, rest)
	b.WriteString(aboutHTTP)
}

const aboutHTTP = "\nFor these tables, the driver keeps its connections open and sends prepared requests. \"baseline\" is net/http with a handler\n" +
	"that reads the body and returns the bytes of jptool's response. The allocations of the baseline are subtracted from those of the other servers.\n" +
	"go-sdk supports 2026-07-28 only in a handler without sessions. mcp-go does not store its sessions. To measure the\n" +
	"memory of an idle session, the driver opens 10,000 sessions (or as many as the server allows), closes the connections,\n" +
	"and divides the growth of resident memory by the number of sessions.\n"

func label(variant measure.HTTPVariant) string {
	text := fmt.Sprintf("%s, %d connections", variant.Era, variant.Conns)
	if variant.Conns == 1 {
		text = fmt.Sprintf("%s, sequential", variant.Era)
	}
	if variant.WithIdle {
		text += ", with idle sessions"
	}
	return text
}
