package notes

import (
	"encoding/json"
	"errors"
)

// List is a list of strings. Models write a list of one as a string, and some
// write any list as its JSON in a string.
//
//jp:schema type=array items=string
type List []string

// UnmarshalJSON takes a list of strings, the JSON of one in a string, or a string.
func (l *List) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*l = list
		return nil
	}
	var text string
	if json.Unmarshal(data, &text) != nil {
		return errors.New("a list of strings")
	}
	if json.Unmarshal([]byte(text), &list) == nil && list != nil {
		*l = list
		return nil
	}
	*l = List{text}
	return nil
}
