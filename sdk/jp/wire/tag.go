package wire

// variant is what belongs to a tag: the members beside it or the elements after it.
type variant struct {
	key     string
	members []member
	items   []value
	array   bool
}

// readTag splits a tagged enum into its tag and the rest: {"type":"x",…}, or ["x",…].
func readTag(v value, key string) (tag string, rest variant, err error) {
	tagKey := join(key, "type")
	rest.key = key
	switch {
	case v.absent():
		return "", rest, &Error{Code: CodeMissing, Key: key, Want: "an object"}
	case v.kind() == '[':
		items := v.elements()
		if len(items) == 0 {
			return "", rest, &Error{Code: CodeMissing, Key: tagKey, Want: "a string"}
		}
		rest.items, rest.array = items[1:], true
		tag, err = items[0].asString(tagKey)
		return tag, rest, err
	case v.kind() == '{':
		rest.members = v.members()
		r := exactly("type").fromObject(rest.members, key)
		tag = r.str("type")
		return tag, rest, r.err
	}
	return "", rest, v.wrongType(key, "an object")
}

// fields reads the rest as the struct of a variant.
func (rest variant) fields(l layout) *record {
	if rest.array {
		return l.fromArray(rest.items, rest.key)
	}
	return l.fromObject(rest.members, rest.key)
}
