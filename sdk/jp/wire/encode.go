package wire

// envelope is a Codec: the envelope is the same in every version, its answer_type is not.
type envelope struct {
	version string
	answers answerForm
	// checkID refuses a question id on both ways; nil takes any.
	checkID func(id, key string) error
}

func (e envelope) Version() string { return e.version }

func (e envelope) AppendOutcome(dst []byte, o Outcome) ([]byte, error) {
	start := len(dst)
	dst = appendString(append(dst, `{"type":`...), string(o.Type))
	switch o.Type {
	case TypeSuccess:
		dst = appendString(append(dst, `,"content":`...), o.Content)
	case TypeError:
		dst = appendString(append(dst, `,"message":`...), o.Message)
		dst = appendStrings(append(dst, `,"trace":`...), o.Trace)
		dst = appendBool(append(dst, `,"transient":`...), o.Transient)
	case TypeNeedsInput:
		if o.Question == nil {
			return dst[:start], &Error{Code: CodeMissing, Key: "question", Want: "a question"}
		}
		var err error
		// The question is one container deeper here than on its own.
		dst, err = e.appendQuestion(append(dst, `,"question":`...), *o.Question, "question", MaxDepth-2)
		if err != nil {
			return dst[:start], err
		}
	default:
		return dst[:start], &Error{Code: CodeVariant, Key: "type", Want: outcomeTypes, Got: shorten(string(o.Type))}
	}
	return append(dst, '}'), nil
}

func (e envelope) AppendQuestion(dst []byte, q Question) ([]byte, error) {
	start := len(dst)
	out, err := e.appendQuestion(dst, q, "", MaxDepth-1)
	if err != nil {
		return dst[:start], err
	}
	return out, nil
}

func (e envelope) appendQuestion(dst []byte, q Question, key string, depth int) ([]byte, error) {
	if e.checkID != nil {
		if err := e.checkID(q.ID, join(key, "id")); err != nil {
			return dst, err
		}
	}
	dst = appendString(append(dst, `{"id":`...), q.ID)
	dst = appendString(append(dst, `,"text":`...), q.Text)
	dst = append(dst, `,"pre_amble":`...)
	if q.PreAmble == "" && !q.emptyPreAmble {
		dst = append(dst, "null"...)
	} else {
		dst = appendString(dst, q.PreAmble)
	}
	dst, err := e.answers.append(append(dst, `,"answer_type":`...), q.AnswerType, join(key, "answer_type"))
	if err != nil {
		return dst, err
	}
	dst = append(dst, `,"default":`...)
	if q.Default == nil {
		return append(dst, "null}"...), nil
	}
	if err := check(q.Default, depth); err != nil {
		return dst, within(err, join(key, "default"))
	}
	return append(appendCanonical(dst, value(q.Default)), '}'), nil
}

// within names the field that holds the document err is about.
func within(err error, key string) error {
	if e, ok := err.(*Error); ok && e.Key == "" {
		e.Key = key
	}
	return err
}
