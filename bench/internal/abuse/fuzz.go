package abuse

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/bench/internal/request"
)

// Fuzzed is the number of random arguments for each tool. Seed is the seed of the generator.
var (
	Fuzzed        = 2000
	Seed   uint64 = 1
)

// perTrial is the number of calls in a trial.
const perTrial = 100

// fuzz returns calls with random arguments, generated from the schemas of the tools. A server must
// return a result or reject the arguments as invalid, and must never return an internal error.
func fuzz(era request.Era) []Trial {
	var all []Trial
	for i := range max(1, Fuzzed/perTrial) {
		all = append(all, Trial{Group: "arg-fuzz", Name: fmt.Sprintf("calls from %d", i*perTrial), Run: func(t Target) error {
			return trial(t.Command, era, 4*patience, func(s *server) error {
				m, err := s.ask(request.List(era, 1))
				if err != nil || m.Result == nil || len(m.Result.Tools) == 0 {
					return fmt.Errorf("response to tools/list: %s (%w)", clip(m.line), err)
				}
				r := rand.New(rand.NewPCG(Seed, uint64(i)))
				for _, tool := range m.Result.Tools {
					names := namesOf(tool.InputSchema)
					for n := range perTrial {
						arguments := argumentsOf(r, names)
						if err := s.fuzz(n+2, tool.Name, arguments); err != nil {
							return fmt.Errorf("%s: %w", clip(arguments), err)
						}
					}
				}
				return s.checkAlive()
			})
		}})
	}
	return all
}

func (s *server) fuzz(id int, tool string, arguments []byte) error {
	sent := time.Now()
	m, err := s.ask(s.tool(id, tool, string(arguments)))
	switch {
	case err != nil:
		return err
	case string(m.ID) != fmt.Sprint(id):
		return fmt.Errorf("the response had another id: %s", clip(m.line))
	case m.Error != nil && m.Error.Code != -32602:
		return fmt.Errorf("unexpected response: %s", clip(m.line))
	case m.Error == nil && m.Result == nil:
		return fmt.Errorf("the response had neither a result nor an error: %s", clip(m.line))
	case time.Since(sent) > patience:
		return fmt.Errorf("the response took %s", time.Since(sent))
	}
	return nil
}

// namesOf returns the property names of a schema, including nested properties, and its enum
// values.
func namesOf(schema json.RawMessage) []string {
	var names []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, inner := range v {
				if properties, ok := inner.(map[string]any); ok && name == "properties" {
					for name := range properties {
						names = append(names, name)
					}
				}
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				if text, ok := inner.(string); ok {
					names = append(names, text)
				}
				walk(inner)
			}
		}
	}
	var tree any
	if json.Unmarshal(schema, &tree) == nil {
		walk(tree)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// argumentsOf returns an object with random members, which in most cases also has the members of valid arguments.
func argumentsOf(r *rand.Rand, names []string) []byte {
	object := map[string]any{}
	if r.IntN(4) > 0 {
		if err := json.Unmarshal([]byte(request.Arguments), &object); err != nil {
			panic(err) // the arguments of the comparison are valid JSON
		}
	}
	for range 1 + r.IntN(4) {
		name := pick(r, names)
		if r.IntN(10) == 0 {
			name = word(r)
		}
		object[name] = value(r, names, 0)
	}
	if r.IntN(4) == 0 {
		delete(object, pick(r, names))
	}
	data, err := json.Marshal(object)
	if err != nil {
		panic(err) // the value was decoded from JSON
	}
	return data
}

func pick(r *rand.Rand, names []string) string {
	if len(names) == 0 {
		return word(r)
	}
	return names[r.IntN(len(names))]
}

func value(r *rand.Rand, names []string, depth int) any {
	switch n := r.IntN(12); {
	case n == 0:
		return nil
	case n == 1:
		return r.IntN(2) == 0
	case n < 5:
		return json.RawMessage(numbers[r.IntN(len(numbers))])
	case n < 8:
		return word(r)
	case n == 8:
		return pick(r, names)
	case depth > 4:
		return ""
	case n < 11:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = value(r, names, depth+1)
		}
		return list
	}
	object := map[string]any{}
	for range r.IntN(4) {
		object[pick(r, names)] = value(r, names, depth+1)
	}
	return object
}

var numbers = []string{
	"0", "-0", "1", "-1", "20", "101", "20.5", "20.0", "2e1", "1e-7", "1e400", "-1e400", "9007199254740993",
	"9223372036854775807", "9223372036854775808", "18446744073709551616", "0.1", "1e20", "123456789012345678901234567890",
}

func word(r *rand.Rand) string {
	words := []string{
		"", " ", "x", "20", "true", "null", "[1,2]", "{}", "NOTE", "note", "\x00", "\u2028", "é", "日本", "😀",
		"<script>", "'; DROP TABLE notes; --", "../../etc/passwd", "%s%n", "\\", "\"", "\n", strings.Repeat("a", 5000),
	}
	return words[r.IntN(len(words))]
}
