package wire

import "encoding/json"

const outcomeTypes = `"success", "error" or "needs_input"`

func (e envelope) ReadOutcome(data []byte) (Outcome, error) {
	v, err := parse(data)
	if err != nil {
		return Outcome{}, err
	}
	return e.readOutcome(v)
}

func (e envelope) readOutcome(v value) (Outcome, error) {
	tag, rest, err := readTag(v, "")
	if err != nil {
		return Outcome{}, err
	}
	var r *record
	o := Outcome{Type: OutcomeType(tag)}
	switch o.Type {
	case TypeSuccess:
		r = rest.fields(exactly("content"))
		o.Content = r.str("content")
	case TypeError:
		r = rest.fields(exactly("message", "trace", "transient"))
		o.Message, o.Trace, o.Transient = r.str("message"), r.strs("trace"), r.boolean("transient")
	case TypeNeedsInput:
		r = rest.fields(exactly("question"))
		q := get(r, "question", e.readNested)
		o.Question = &q
	default:
		return Outcome{}, &Error{Code: CodeVariant, Key: "type", Want: outcomeTypes, Got: shorten(tag)}
	}
	if r.err != nil {
		return Outcome{}, r.err
	}
	return o, nil
}

func (e envelope) ReadQuestion(data []byte) (Question, error) {
	v, err := parse(data)
	if err != nil {
		return Question{}, err
	}
	return e.readQuestion(v, "", false)
}

func (e envelope) readNested(v value, key string) (Question, error) {
	return e.readQuestion(v, key, true)
}

// readQuestion reads a question that stands alone or is nested in an outcome: serde buffers what
// is inside a tagged enum, and is laxer about answer types without fields there.
func (e envelope) readQuestion(v value, key string, nested bool) (Question, error) {
	r := exactly("id", "text", "pre_amble", "answer_type", "default").read(v, key)
	q := Question{
		ID:   get(r, "id", e.readID),
		Text: r.str("text"),
	}
	if preAmble := r.optString("pre_amble"); preAmble != nil {
		q.PreAmble, q.emptyPreAmble = *preAmble, *preAmble == ""
	}
	q.AnswerType = get(r, "answer_type", func(v value, key string) (AnswerType, error) {
		return e.answers.read(v, key, nested)
	})
	if d := opt(r, "default", canonical); d != nil {
		q.Default = *d
	}
	if r.err != nil {
		return Question{}, r.err
	}
	return q, nil
}

func (e envelope) readID(v value, key string) (string, error) {
	id, err := v.asString(key)
	if err == nil && e.checkID != nil {
		err = e.checkID(id, key)
	}
	return id, err
}

func canonical(v value, _ string) (json.RawMessage, error) {
	return appendCanonical(nil, v), nil
}
