package jptest

import (
	"context"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// Fuzz is a fuzz target for the input of a tool. It calls the tool in the process of the test,
// with arguments that start as samples of its schema, and answers its questions with samples,
// declines and wrong answers. The test fails if a call fails with the code internal (because of
// a panic, an error without a code, or an incorrect question), or if its result is truncated to
// the budget of the tool. The root directory of the calls is temporary.
//
//	func FuzzSearch(f *testing.F) { jptest.Fuzz(f, NewServer(&Notes{}), "note_search") }
func Fuzz(f *testing.F, s *sdk.Server, tool string) {
	f.Helper()
	declared, ok := s.Contract().Tool(tool)
	if !ok {
		f.Fatalf("unknown tool %q of server %s", tool, s.Name())
	}
	for seed := range uint64(8) {
		f.Add([]byte(sample(json.RawMessage(declared.Input), seed)), seed)
	}
	root := f.TempDir()
	f.Fuzz(func(t *testing.T, arguments []byte, seed uint64) { try(t, s, tool, root, arguments, seed) })
}

// try makes one call. The answers depend on the seed.
func try(t testing.TB, s *sdk.Server, name, root string, arguments []byte, seed uint64) {
	t.Helper()
	chance := rand.New(rand.NewPCG(seed, 0))
	ctx := handler.Rehearse(context.Background(), func(problem string) {
		t.Errorf("%.500s, with answers from seed %d: %s", arguments, seed, problem)
	})
	_, err := s.Call(ctx, name, arguments, sdk.Host{Root: root, Ask: func(_ context.Context, r elicit.Request) (elicit.Response[json.RawMessage], error) {
		switch chance.IntN(16) {
		case 0:
			return elicit.Declined[json.RawMessage](), nil
		case 1:
			return elicit.Canceled[json.RawMessage](), nil
		case 2:
			return elicit.Accepted(json.RawMessage(`[null]`)), nil
		}
		return elicit.Accepted(sample(r.Schema, chance.Uint64())), nil
	}})
	if f := fault.From(err); f != nil && f.Code == fault.Internal {
		t.Errorf("%s of %.500s, with answers from seed %d: %v: %s", name, arguments, seed, f, strings.Join(f.Trace(), ": "))
	}
}

// A node contains the keywords of a schema that samples depend on.
type node struct {
	Type           string
	Enum, Examples []json.RawMessage
	Default        json.RawMessage
	Properties     map[string]node
	Required       []string
	Items          *node

	Minimum, Maximum     *float64
	MinLength, MaxLength int
	MinItems, MaxItems   int
}

// sample returns a value that matches most schemas, often at their limits.
func sample(schema json.RawMessage, seed uint64) json.RawMessage {
	var n node
	_ = json.Unmarshal(schema, &n) // if the schema cannot be parsed, the sample is null
	data, _ := json.Marshal(n.value(rand.New(rand.NewPCG(seed, 1))))
	return data
}

func (n node) value(chance *rand.Rand) any {
	choices := slices.Concat(n.Enum, n.Examples)
	if n.Default != nil {
		choices = append(choices, n.Default)
	}
	if len(choices) > 0 && (n.Enum != nil || chance.IntN(2) == 0) {
		return choices[chance.IntN(len(choices))]
	}
	between := func(low, high int) int {
		return max(low, []int{low, low + 1, min(high, 1000)}[chance.IntN(3)])
	}
	switch n.Type {
	case "object":
		object := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
			if slices.Contains(n.Required, name) || chance.IntN(2) == 0 {
				object[name] = n.Properties[name].value(chance)
			}
		}
		return object
	case "array":
		list := make([]any, between(n.MinItems, n.MaxItems))
		for i := range list {
			if n.Items != nil {
				list[i] = n.Items.value(chance)
			}
		}
		return list
	case "string":
		text := []string{"x", "é", " ", "\n", "../", "<&>", "\U0001f9f8"}[chance.IntN(7)]
		return strings.Repeat(text, between(n.MinLength, n.MaxLength))
	case "boolean":
		return chance.IntN(2) == 0
	case "integer", "number":
		limits := []float64{0, 1, -1}
		for _, limit := range []*float64{n.Minimum, n.Maximum} {
			if limit != nil {
				limits = append(limits, *limit, *limit)
			}
		}
		return limits[chance.IntN(len(limits))]
	}
	return nil
}
