package odd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Kind groups similar differences from the answers at the first moment.
type Kind struct {
	Moment    string
	Want, Got string // the shapes of the answers at the first moment and at this moment
	Count     int
	// Example is one of the messages. Wanted and Came are the answers to it at the first moment and at this
	// moment.
	Example      Message
	Wanted, Came []string
}

// String describes the difference, with its frequency and an example.
func (k Kind) String() string {
	return fmt.Sprintf("%4d  %s: %s, not %s\n      %s: %.300q", k.Count, k.Moment, k.Got, k.Want, k.Example.Name, k.Example.Text)
}

// A Report is the result of a comparison.
type Report struct {
	Messages int
	// Differing is the number of messages with different answers, for each moment.
	Differing map[string]int
	Kinds     []Kind // sorted by moment and frequency
	// Ordered is the number of differences that [Orders] explain, for each section of a
	// specification.
	Ordered map[string]int
}

// String returns the report as text.
func (r Report) String() string {
	var b strings.Builder
	moment := ""
	for _, k := range r.Kinds {
		if k.Moment != moment {
			moment = k.Moment
			kinds := 0
			for _, other := range r.Kinds {
				if other.Moment == moment {
					kinds++
				}
			}
			fmt.Fprintf(&b, "%s: %d of %d responses differ, in %d kinds\n", moment, r.Differing[moment], r.Messages, kinds)
		}
		fmt.Fprintln(&b, k)
	}
	return b.String()
}

// Compare sends messages at all moments, using the given number of workers, and returns the differences from the
// answers at the first moment. If sending a message fails at the first moment, Compare returns the error. At
// another moment, such an error is a difference.
func Compare(ctx context.Context, moments []Moment, messages []Message, workers int) (Report, error) {
	c := comparison{kinds: map[[3]string]*Kind{}, order: map[string]int{}, report: Report{Messages: len(messages), Differing: map[string]int{}, Ordered: map[string]int{}}}
	for i, m := range moments {
		c.order[m.Name] = i
	}
	queue := make(chan Message)
	var all sync.WaitGroup
	for range max(1, workers) {
		all.Go(func() {
			for m := range queue {
				c.send(ctx, moments, m)
			}
		})
	}
	for _, m := range messages {
		if ctx.Err() != nil {
			break
		}
		queue <- m
	}
	close(queue)
	all.Wait()
	return c.sortedReport(), errors.Join(append(c.failed, ctx.Err())...)
}

// A comparison collects the results.
type comparison struct {
	order map[string]int // index of each moment

	mu     sync.Mutex
	kinds  map[[3]string]*Kind
	failed []error
	report Report
}

// maxFailures is the maximum number of reported failures at the first moment.
const maxFailures = 20

// send sends a message at each of the moments, and compares the answers.
func (c *comparison) send(ctx context.Context, moments []Moment, m Message) {
	var wanted []string
	var want []answer
	for i, moment := range moments {
		lines, err := moment.Send(ctx, m)
		got := readAnswers(m, lines)
		if err != nil && i > 0 {
			got = append(got, answer{shape: "failure: " + mask(err.Error())})
		} else if err != nil {
			c.fail(fmt.Errorf("%s: %s: %.200q: %w", moment.Name, m.Name, m.Text, err))
			return
		}
		if i == 0 {
			wanted, want = lines, got
		} else if equalAnswers(want, got) {
			continue
		} else if o := requirement(moment, m, want, got); o != "" {
			c.count(o)
		} else {
			c.add(Kind{Moment: moment.Name, Want: shape(want), Got: shape(got), Count: 1, Example: m, Wanted: wanted, Came: lines})
		}
	}
}

func (c *comparison) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.failed) < maxFailures {
		c.failed = append(c.failed, err)
	}
}

// count counts a difference that a specification requires. order is the section of the
// specification.
func (c *comparison) count(order string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Ordered[order]++
}

// add counts a difference.
func (c *comparison) add(k Kind) {
	if k.Want == k.Got {
		k.Got = "another " + k.Got
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Differing[k.Moment]++
	key := [3]string{k.Moment, k.Want, k.Got}
	known := c.kinds[key]
	if known == nil {
		c.kinds[key] = &k
		return
	}
	known.Count++
	// The shortest example is the clearest. Ties are resolved by name, so the example is the same in each run.
	if a, b := k.Example, known.Example; cmp.Or(cmp.Compare(len(a.Text), len(b.Text)), cmp.Compare(a.Name, b.Name)) < 0 {
		known.Example, known.Wanted, known.Came = k.Example, k.Wanted, k.Came
	}
}

// sortedReport adds the kinds of differences to the report, sorted by moment and then by count, and
// returns it.
func (c *comparison) sortedReport() Report {
	for _, k := range c.kinds {
		c.report.Kinds = append(c.report.Kinds, *k)
	}
	slices.SortFunc(c.report.Kinds, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(c.order[a.Moment], c.order[b.Moment]), -cmp.Compare(a.Count, b.Count),
			cmp.Compare(a.Want, b.Want), cmp.Compare(a.Got, b.Got))
	})
	return c.report
}
