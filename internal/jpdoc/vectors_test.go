package jpdoc_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/jptool/jptool/internal/jpdoc"
	"github.com/jptool/jptool/internal/jpdoc/vectortest"
)

func TestVectors(t *testing.T) {
	snapshot, next := jpdoc.Snapshot(), jpdoc.RFD082()
	vectortest.Run(t, "outcome.jsonl", snapshot.ReadOutcome, snapshot.AppendOutcome)
	vectortest.Run(t, "future_rfd082_outcome.jsonl", next.ReadOutcome, next.AppendOutcome)
	vectortest.Run(t, "question.jsonl", readQuestion, appendQuestion)
}

// The vector of a question is read and written as part of an outcome.

func readQuestion(data []byte) (jpdoc.Question, error) {
	if bytes.Contains(data, []byte(`{"Boolean":{}}`)) {
		// JP accepts this inside an outcome, but not on its own.
		return jpdoc.Question{}, errors.ErrUnsupported
	}
	o, err := jpdoc.Snapshot().ReadOutcome(slices.Concat([]byte(asking), data, []byte("}")))
	if err != nil {
		return jpdoc.Question{}, err
	}
	return *o.Question, nil
}

const asking = `{"type":"needs_input","question":`

func appendQuestion(dst []byte, q jpdoc.Question) ([]byte, error) {
	data, err := jpdoc.Snapshot().AppendOutcome(dst, jpdoc.NeedsInput(q))
	return bytes.TrimSuffix(bytes.TrimPrefix(data, []byte(asking)), []byte("}")), err
}
