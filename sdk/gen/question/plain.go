package question

import (
	"bytes"
	"encoding/json"
	"strings"
)

// plain returns an answer in the form that handlers get. A host that can only ask for text
// sends a number as text, and several values separated by commas; a host that can only show
// titles sends the title of a value. Anything else is returned as it is, without surrounding
// space.
func (s Spec) plain(content []byte) []byte {
	content = bytes.TrimSpace(content)
	switch s.Kind {
	case KindNumber:
		if typed, ok := text(content); ok {
			if _, isNumber := number(content); isNumber {
				return []byte(strings.TrimSpace(typed))
			}
		}
	case KindPick:
		if typed, ok := text(content); ok {
			return encoded(s.value(typed), content)
		}
	case KindSeveral:
		if typed, ok := text(content); ok {
			return encoded(s.several(typed), content)
		}
	}
	return content
}

// several returns the values in a text: a list as JSON, or words separated by commas.
func (s Spec) several(typed string) []string {
	values := []string{}
	if json.Unmarshal([]byte(typed), &values) == nil && values != nil {
		return values
	}
	for word := range strings.SplitSeq(typed, ",") {
		if word = strings.TrimSpace(word); word != "" {
			values = append(values, s.value(word))
		}
	}
	return values
}

// encoded returns value as JSON, or otherwise if that is impossible.
func encoded(value any, otherwise []byte) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		return otherwise
	}
	return data
}
