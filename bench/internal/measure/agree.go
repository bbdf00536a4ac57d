package measure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/request"
	"github.com/jptool/jptool/bench/internal/search"
)

// Agree returns an error unless all subjects answer the same call with the same
// content, list as many tools, and those that check refuse what breaks a limit:
// otherwise there is nothing to compare.
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
			if err := agrees(subject, era, want); err != nil {
				return fmt.Errorf("%s, %s: %w", subject.Name, era, err)
			}
		}
	}
	return nil
}

func agrees(subject build.Subject, era request.Era, want search.Out) error {
	s, err := open(subject.Command(10), nil, era)
	if err != nil {
		return err
	}
	answer, err := s.Ask(request.Call(era, 1, request.Arguments))
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
		return fmt.Errorf("the text of the answer is another: %s", answer)
	}
	if !reflect.DeepEqual(message.Result.Structured, want) {
		return fmt.Errorf("the structured content of the answer is another: %s", answer)
	}
	if answer, err = s.Ask(request.List(era, 2)); err != nil {
		return err
	}
	if err := json.Unmarshal(answer, &message); err != nil || len(message.Result.Tools) != 10 {
		return fmt.Errorf("%d tools are listed, not 10: %v", len(message.Result.Tools), err)
	}
	if subject.Checks {
		answer, err = s.Ask(request.Call(era, 3, request.Invalid()))
		if err != nil {
			return err
		}
		if !bytes.Contains(answer, []byte(`"isError":true`)) && !bytes.Contains(answer, []byte(`"error":{`)) {
			return fmt.Errorf("arguments that break a limit are taken: %s", answer)
		}
	}
	_, err = s.Close()
	return err
}
