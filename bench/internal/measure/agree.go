package measure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/request"
	"github.com/jptool/jptool/bench/internal/search"
)

// Agree returns an error unless all subjects return the same content for the same call and list the same number
// of tools. Subjects that check arguments must reject a value above its maximum. Otherwise, the measurements
// are not comparable.
func Agree(subjects []build.Subject) error {
	var in search.In
	if err := json.Unmarshal([]byte(request.Arguments), &in); err != nil {
		return err
	}
	want := search.Run(in)
	for _, subject := range subjects {
		for _, era := range request.Eras {
			if era != request.Sessions && subject.SessionsOnly {
				continue
			}
			if err := checkAnswers(subject, era, want); err != nil {
				return fmt.Errorf("%s, %s: %w", subject.Name, era, err)
			}
		}
	}
	return nil
}

func checkAnswers(subject build.Subject, era request.Era, want search.Out) error {
	s, err := open(subject.Command(10), nil, era)
	if err != nil {
		return err
	}
	if err := checkServer(subject, era, want, 10, s.Ask); err != nil {
		return err
	}
	_, err = s.Close()
	return err
}

// agreeOverHTTP is [Agree] over HTTP, for servers with one tool.
func agreeOverHTTP(subjects []build.Subject) error {
	var in search.In
	if err := json.Unmarshal([]byte(request.Arguments), &in); err != nil {
		return err
	}
	for _, subject := range subjects {
		for _, era := range request.Eras {
			s, err := serveHTTP(subject.Served(era), nil, era)
			if err == nil {
				err = errors.Join(checkServer(subject, era, search.Run(in), 1, s.ask), s.end())
			}
			if err != nil {
				return fmt.Errorf("%s, %s over HTTP: %w", subject.Name, era, err)
			}
		}
	}
	return nil
}

// checkServer returns an error unless a server with the given number of tools responds correctly.
func checkServer(subject build.Subject, era request.Era, want search.Out, tools int, ask func(string) ([]byte, error)) error {
	answer, err := ask(request.Call(era, 1, request.Arguments))
	if err != nil {
		return err
	}
	var message struct {
		Result struct {
			Content    []struct{ Text string }
			Structured search.Out `json:"structuredContent"`
			Tools      []json.RawMessage
		}
	}
	if err := json.Unmarshal(answer, &message); err != nil {
		return err
	}
	var text search.Out
	if c := message.Result.Content; len(c) != 1 || json.Unmarshal([]byte(c[0].Text), &text) != nil || !reflect.DeepEqual(text, want) {
		return fmt.Errorf("unexpected text in the response: %s", answer)
	}
	if !reflect.DeepEqual(message.Result.Structured, want) {
		return fmt.Errorf("unexpected structured content in the response: %s", answer)
	}
	if answer, err = ask(request.List(era, 2)); err != nil {
		return err
	}
	if err := json.Unmarshal(answer, &message); err != nil || len(message.Result.Tools) != tools {
		return fmt.Errorf("%d tools were listed, want %d: %v", len(message.Result.Tools), tools, err)
	}
	if subject.Checks {
		answer, err = ask(request.Call(era, 3, request.Invalid()))
		if err != nil {
			return err
		}
		if !bytes.Contains(answer, []byte(`"isError":true`)) && !bytes.Contains(answer, []byte(`"error":{`)) {
			return fmt.Errorf("arguments beyond a limit were accepted: %s", answer)
		}
	}
	return nil
}
