package abuse

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jptool/jptool/bench/internal/request"
)

// resources returns requests for capabilities that no server of the comparison declares.
func resources(era request.Era) []Case {
	var all []Case
	for _, m := range []struct{ method, params string }{
		{"prompts/list", ""}, {"prompts/get", `"name":"x"`},
		{"resources/list", ""}, {"resources/templates/list", ""}, {"resources/read", `"uri":"file:///etc/hostname"`},
		{"resources/subscribe", `"uri":"file:///etc/hostname"`},
		{"completion/complete", `"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":"b"}`},
		{"sampling/createMessage", ""}, {"roots/list", ""}, {"tasks/list", ""},
	} {
		params := m.params
		if era == request.Requests {
			params = strings.TrimPrefix(params+","+modern("{}"), ",")
		}
		all = append(all, Case{"resources", m.method, fmt.Sprintf(`{"jsonrpc":"2.0","id":41,"method":%q,"params":{%s}}`, m.method, params), "41", Absent})
	}
	return all
}

// protocol returns trials that start a connection in valid and invalid ways.
func protocol(era request.Era) []Trial {
	first := func(name, line string, wants func(message) error) Trial {
		return Trial{Group: "protocol", Name: name, Run: func(t Target) error {
			s, err := start(t.Command, era, patience, nil)
			if err != nil {
				return err
			}
			defer s.kill()
			m, err := s.ask(line)
			if err == nil {
				err = wants(m)
			}
			if err == nil {
				err = s.open()
			}
			if err != nil {
				return err
			}
			return s.checkAlive()
		}}
	}
	refused := func(m message) error {
		if m.Error == nil || m.Error.Code != -32600 && m.Error.Code != -32602 {
			return fmt.Errorf("unexpected response: %s", clip(m.line))
		}
		return nil
	}
	ping := first("ping first", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, func(m message) error {
		if m.Result == nil {
			return fmt.Errorf("unexpected response: %s", clip(m.line))
		}
		return nil
	})
	// Over HTTP, a server may respond to clients that open no session.
	unopened := func(t Trial) Trial {
		t.Pipes = true
		return t
	}
	if era == request.Sessions {
		return []Trial{
			ping,
			unopened(first("a call first", request.Call(era, 1, request.Arguments), refused)),
			unopened(first("the list first", request.List(era, 1), refused)),
			{Group: "protocol", Name: "initialize twice", Run: func(t Target) error {
				return trial(t.Command, era, patience, func(s *server) error {
					m, err := s.ask(request.Initialize)
					if err != nil {
						return err
					}
					if m.Error != nil && (m.Error.Code == 0 || m.Error.Code == -32603) {
						return fmt.Errorf("unexpected response: %s", clip(m.line))
					}
					return s.checkAlive()
				})
			}},
			{Group: "protocol", Name: "a future version", Run: func(t Target) error {
				s, err := start(t.Command, era, patience, nil)
				if err != nil {
					return err
				}
				defer s.kill()
				m, err := s.ask(strings.Replace(request.Initialize, "2025-11-25", "2099-01-01", 1))
				if err != nil {
					return err
				}
				if m.Result == nil || strings.Contains(string(m.line), "2099") {
					return fmt.Errorf("unexpected response: %s", clip(m.line))
				}
				if err := s.send(request.Initialized); err != nil {
					return err
				}
				return s.checkAlive()
			}},
		}
	}
	discover := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modern("{}") + `}}`
	return []Trial{
		first("discover", discover, func(m message) error {
			if m.Result == nil {
				return fmt.Errorf("unexpected response: %s", clip(m.line))
			}
			return nil
		}),
		unopened(first("discover without _meta", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`, refused)),
		first("a future version", strings.Replace(request.Call(era, 1, request.Arguments), "2026-07-28", "2099-01-01", 1), func(m message) error {
			if m.Error == nil || m.Error.Code == 0 || m.Error.Code == -32603 {
				return fmt.Errorf("unexpected response: %s", clip(m.line))
			}
			return nil
		}),
		unopened(Trial{Group: "protocol", Name: "a call without _meta after one with _meta", Run: func(t Target) error {
			return trial(t.Command, era, patience, func(s *server) error {
				m, err := s.ask(request.Call(request.Requests, 1, request.Arguments))
				if err != nil || m.Result == nil {
					return errors.Join(err, fmt.Errorf("unexpected response to the previous call: %s", clip(m.line)))
				}
				if m, err = s.ask(request.Call(request.Sessions, 2, request.Arguments)); err == nil {
					err = refused(m)
				}
				if err != nil {
					return err
				}
				return s.checkAlive()
			})
		}}),
	}
}
