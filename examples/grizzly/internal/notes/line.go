package notes

import (
	"encoding/json"
	"errors"
	"strings"
)

// Line is a line or a range of lines. Models write it as a string or a number.
//
//jp:schema type=string
type Line string

// UnmarshalJSON takes a string or a whole number.
func (l *Line) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil && data[0] == '"' {
		*l = Line(text)
		return nil
	}
	var n json.Number
	if json.Unmarshal(data, &n) != nil || strings.ContainsAny(n.String(), ".eE") || n == "" {
		return errors.New(`a line number, or a range such as "3:9"`)
	}
	*l = Line(n)
	return nil
}

// MarshalJSON returns the line as a string.
func (l Line) MarshalJSON() ([]byte, error) { return json.Marshal(string(l)) }
