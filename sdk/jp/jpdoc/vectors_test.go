package jpdoc_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jpdoc/vectortest"
)

func TestVectors(t *testing.T) {
	tagged, untagged := jpdoc.Tagged(), jpdoc.Untagged()
	vectortest.Run(t, "now_outcome.jsonl", tagged.ReadOutcome, tagged.AppendOutcome)
	vectortest.Run(t, "future_rfd082_outcome.jsonl", tagged.ReadOutcome, tagged.AppendOutcome)
	vectortest.Run(t, "now_question.jsonl", questions(tagged).read, questions(tagged).append)
	vectortest.Run(t, "outcome.jsonl", untagged.ReadOutcome, untagged.AppendOutcome)
	vectortest.Run(t, "question.jsonl", questions(untagged).read, questions(untagged).append)
}

// questions reads and writes the vector of a question as part of an outcome.
type questions jpdoc.Codec

func (c questions) read(data []byte) (jpdoc.Question, error) {
	if bytes.Contains(data, []byte(`{"Boolean":{}}`)) {
		// JP accepts this inside an outcome, but not on its own.
		return jpdoc.Question{}, errors.ErrUnsupported
	}
	o, err := jpdoc.Codec(c).ReadOutcome(slices.Concat([]byte(asking), data, []byte("}")))
	if err != nil {
		return jpdoc.Question{}, err
	}
	return *o.Question, nil
}

const asking = `{"type":"needs_input","question":`

func (c questions) append(dst []byte, q jpdoc.Question) ([]byte, error) {
	data, err := jpdoc.Codec(c).AppendOutcome(dst, jpdoc.NeedsInput(q))
	return bytes.TrimSuffix(bytes.TrimPrefix(data, []byte(asking)), []byte("}")), err
}
