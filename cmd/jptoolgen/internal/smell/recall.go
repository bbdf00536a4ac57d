package smell

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A Task describes something that a user might want to do, and names the tool that a search
// should find for it.
type Task struct{ Tool, Text string }

// ReadTasks reads tasks, one per line, as "TOOL: TASK". It skips empty lines and lines that start with #.
func ReadTasks(text string, c *manifest.Server) ([]Task, error) {
	var all []Task
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		tool, task, ok := strings.Cut(line, ":")
		if task = strings.TrimSpace(task); !ok || task == "" {
			return nil, fmt.Errorf("line %d must have the form TOOL: TASK", i+1)
		}
		if _, known := c.Tool(tool); !known {
			return nil, fmt.Errorf("line %d refers to the tool %q, which the server does not have", i+1, tool)
		}
		all = append(all, Task{tool, task})
	}
	if len(all) == 0 {
		return nil, errors.New("there are no tasks; write one per line as TOOL: TASK")
	}
	return all, nil
}

// first is the number of tools that a search returns.
const first = 5

// Recall returns the fraction of tasks whose tool is among the first five by BM25, and a finding for each of the
// other tasks.
func Recall(c *manifest.Server, tasks []Task) (float64, []Finding) {
	index := newIndex(c)
	var missed []Finding
	for _, t := range tasks {
		if rank, found := index.rank(t); !found || rank > first {
			missed = append(missed, Finding{
				Rule: NotFoundFor, Tool: t.Tool, Message: fmt.Sprintf("a search for the task %q does not return this tool among the first %d results", t.Text, first),
				Hint: "use the words of the task in the description",
			})
		}
	}
	return float64(len(tasks)-len(missed)) / float64(max(1, len(tasks))), missed
}

// An index holds the words of the tools, from their names, titles, descriptions and parameters.
type index struct {
	names  []string
	counts []map[string]int // the number of occurrences, keyed by word
	sizes  []int
	mean   float64
}

func newIndex(c *manifest.Server) *index {
	x := new(index)
	for i := range c.Tools {
		t := &c.Tools[i]
		texts := []string{t.Name, t.Title, t.Description}
		for _, p := range parameters(t) {
			texts = append(texts, p.Name, p.Description)
		}
		all := words(strings.Join(texts, " "))
		counts := map[string]int{}
		for _, w := range all {
			counts[w]++
		}
		x.names, x.counts, x.sizes = append(x.names, t.Name), append(x.counts, counts), append(x.sizes, len(all))
		x.mean += float64(len(all)) / float64(len(c.Tools))
	}
	return x
}

// rank returns the rank of a task's tool, starting at 1, and whether the tool's words include a word of the
// task. Tools with the same score count as better.
func (x *index) rank(t Task) (rank int, found bool) {
	query := distinctWords(t.Text)
	own := x.score(slices.Index(x.names, t.Tool), query)
	rank = 1
	for i, name := range x.names {
		if name != t.Tool && cmp.Compare(x.score(i, query), own) >= 0 {
			rank++
		}
	}
	return rank, own > 0
}

// score returns the BM25 score of a tool, with the usual k1 = 1.2 and b = 0.75.
func (x *index) score(tool int, query []string) (sum float64) {
	const k1, b = 1.2, 0.75
	for _, w := range query {
		n := float64(x.counts[tool][w])
		if n == 0 {
			continue
		}
		has := 0.0
		for _, counts := range x.counts {
			if counts[w] > 0 {
				has++
			}
		}
		rarity := math.Log(1 + (float64(len(x.names))-has+0.5)/(has+0.5))
		sum += rarity * n * (k1 + 1) / (n + k1*(1-b+b*float64(x.sizes[tool])/x.mean))
	}
	return sum
}
