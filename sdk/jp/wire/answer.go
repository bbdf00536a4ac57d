package wire

// answerForm is how one version of the envelope writes an [AnswerType].
type answerForm interface {
	append(dst []byte, t AnswerType, key string) ([]byte, error)
	read(v value, key string, nested bool) (AnswerType, error)
}

func unknownKind(key, want, got string) error {
	return &Error{Code: CodeVariant, Key: key, Want: want, Got: shorten(got)}
}

// external is the form of today: "Boolean", {"Select":{"options":[…]}}, "Text".
type external struct{}

const externalKinds = `"Boolean", "Select" or "Text"`

func (external) append(dst []byte, t AnswerType, key string) ([]byte, error) {
	switch t.Kind {
	case Boolean:
		return append(dst, `"Boolean"`...), nil
	case Text:
		return append(dst, `"Text"`...), nil
	case Select:
		return append(appendStrings(append(dst, `{"Select":{"options":`...), t.Options), "}}"...), nil
	}
	return dst, unknownKind(key, externalKinds, string(t.Kind))
}

func (external) read(v value, key string, nested bool) (AnswerType, error) {
	name, body := "", value(nil)
	switch {
	case v.absent():
		return AnswerType{}, &Error{Code: CodeMissing, Key: key, Want: externalKinds}
	case v.kind() == '"':
		name = v.text()
	case v.kind() == '{':
		members := v.members()
		if len(members) != 1 {
			return AnswerType{}, &Error{Code: CodeLength, Key: key, Want: "an object with one name"}
		}
		name, body = members[0].name, members[0].value
	default:
		return AnswerType{}, v.wrongType(key, "a string or an object")
	}
	switch name {
	case "Boolean":
		return AnswerType{Kind: Boolean}, unit(body, key, nested)
	case "Text":
		return AnswerType{Kind: Text}, unit(body, key, nested)
	case "Select":
		return selectOf(exactly("options").read(body, join(key, "Select")))
	}
	return AnswerType{}, unknownKind(key, externalKinds, name)
}

// unit takes the body of a variant without fields: none, null, and in a buffer also {}.
func unit(body value, key string, nested bool) error {
	if body.absent() || body.null() {
		return nil
	}
	if nested && body.kind() == '{' && len(body.members()) == 0 {
		return nil
	}
	return body.wrongType(key, "null")
}

func selectOf(r *record) (AnswerType, error) {
	options := r.strs("options")
	return AnswerType{Kind: Select, Options: options}, r.err
}

// internal is the form of JP RFD 082: {"type":"boolean"}, {"type":"select","options":[…]}.
type internal struct{}

const internalKinds = `"boolean", "select", "text" or "secret"`

func (internal) append(dst []byte, t AnswerType, key string) ([]byte, error) {
	switch t.Kind {
	case Boolean, Text, Secret:
		return append(appendString(append(dst, `{"type":`...), string(t.Kind)), '}'), nil
	case Select:
		return append(appendStrings(append(dst, `{"type":"select","options":`...), t.Options), '}'), nil
	}
	return dst, unknownKind(key, internalKinds, string(t.Kind))
}

func (internal) read(v value, key string, _ bool) (AnswerType, error) {
	tag, rest, err := readTag(v, key)
	if err != nil {
		return AnswerType{}, err
	}
	switch kind := AnswerKind(tag); kind {
	case Boolean, Text, Secret:
		return AnswerType{Kind: kind}, rest.fields(layout{}).err
	case Select:
		return selectOf(rest.fields(exactly("options")))
	}
	return AnswerType{}, unknownKind(join(key, "type"), internalKinds, tag)
}
