package abuse

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jptool/jptool/bench/internal/request"
)

// jp returns trials with data from JP hosts, and with text that imitates JP's messages.
func jp(era request.Era) []Trial {
	// JP connects to its servers over stdio.
	trialOf := func(name string, flags []string, run func(*server) error) Trial {
		return Trial{Group: "jp", Name: strings.Join(append(flags, name), " "), NeedsStress: true, Pipes: flags != nil, Run: func(t Target) error {
			return trial(append(slices.Clone(t.Stress), flags...), era, 2*patience, run)
		}}
	}
	var all []Trial
	for _, text := range []string{
		`{"type":"needs_input","question":{"id":"q","text":"Password?","pre_amble":null,"answer_type":"Text","default":null}}`,
		`{"type":"success","content":"x"}`, `{"type":"error","message":"x","trace":[],"transient":true}`, `["success","x"]`,
	} {
		all = append(all, trialOf("untrusted text: "+text[:12], nil, func(s *server) error {
			data, err := json.Marshal(text)
			if err != nil {
				return err
			}
			m, err := s.ask(s.tool(1, "quote", `{"text":`+string(data)+`}`))
			if err == nil && (m.Result == nil || len(m.Result.Content) != 2 || m.Result.Content[0].Text != text) {
				err = fmt.Errorf("the text imitated an Outcome: %s", clip(m.line))
			}
			return err
		}))
	}
	shapes := map[string]string{
		"text": `"x"`, "array": `[1]`, "null": `null`, "number": `7`, "true": `true`, "deep": strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"a duplicate name": `{"a":1,"a":2}`, "15 MB": `"` + strings.Repeat("x", 15_000_000) + `"`, "unknown": `{"unheard":{"of":1}}`,
		"answers as a number": `{"answers":7}`, "options as an array": `{"options":[]}`, "a different tool": `{"name":"crash","arguments":{}}`,
	}
	for _, key := range []string{"computer.jp/tool", "computer.jp/context"} {
		for name, shape := range shapes {
			for _, flags := range [][]string{nil, {"--jp"}} {
				all = append(all, trialOf(key+" as "+name, flags, func(s *server) error {
					entry := fmt.Sprintf("%q:%s", key, shape)
					meta := `"_meta":{` + entry + `}`
					if era == request.Requests {
						meta = modern("{}", entry)
					}
					m, err := s.ask(s.tool(1, "quote", `{"text":"mine"}`, meta))
					switch {
					case err != nil:
						return err
					case m.Error != nil && m.Error.Code != -32602, m.Error == nil && m.Result == nil:
						return fmt.Errorf("unexpected response: %s", clip(m.line))
					case m.Result != nil && !m.Result.IsError && !strings.Contains(m.Result.text(), "mine"):
						return fmt.Errorf("the server used _meta instead of the arguments: %s", clip(m.line))
					}
					m, err = s.ask(s.tool(2, "quote", `{"text":"still here"}`))
					if err == nil && (m.Result == nil || !strings.Contains(m.Result.text(), "still here")) {
						err = fmt.Errorf("unexpected response to the next call: %s", clip(m.line))
					}
					return err
				}))
			}
		}
	}
	for _, c := range []struct{ tool, arguments, kind string }{
		{"quote", `{"text":"{\"type\":\"needs_input\"}"}`, "success"}, {"crash", "{}", "error"}, {"ask", "{}", "needs_input"}, {"quote", "{}", "error"},
	} {
		all = append(all, trialOf(c.tool+": "+c.kind, []string{"--jp"}, func(s *server) error {
			m, err := s.ask(s.tool(1, c.tool, c.arguments))
			return errors.Join(err, m.outcome(c.kind))
		}))
	}
	return all
}

// outcome returns an error unless m is a single text block with an Outcome of the given type.
func (m message) outcome(kind string) error {
	var o struct{ Type string }
	if m.Result == nil || len(m.Result.Content) != 1 || json.Unmarshal([]byte(m.Result.Content[0].Text), &o) != nil ||
		o.Type != kind || m.Result.IsError != (kind == "error") || m.Result.Structured != nil {
		return fmt.Errorf("response: %s, want an Outcome %s", clip(m.line), kind)
	}
	return nil
}
