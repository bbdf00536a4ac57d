package peer

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// maxMends is the maximum number of parts that are mended or left out of one value.
const maxMends = 20

// loosely decodes a value as servers in other languages write it. An empty list stands for an empty object, which
// PHP does not distinguish. With drop, parts of a wrong type are left out, and the notes say which. It returns the
// text without these parts.
func loosely[T any](text jsontext.Value, drop bool) (value T, mended jsontext.Value, notes []string, err error) {
	for range maxMends {
		value = *new(T)
		err = json.Unmarshal(text, &value)
		bad, ok := errors.AsType[*json.SemanticError](err)
		if !ok {
			return value, text, notes, err
		}
		path, empty := slices.Collect(bad.JSONPointer.Tokens()), false
		if t := bad.GoType; t != nil && bad.JSONKind == '[' {
			empty = t.Kind() == reflect.Struct || t.Kind() == reflect.Map
		}
		changed, mendable := mend(text, path, empty, drop)
		if !mendable {
			return value, text, notes, err
		}
		if text = changed; !empty {
			notes = append(notes, reasonOf(err)+"; it was ignored")
		}
	}
	return value, text, notes, err
}

// mend replaces an empty list at a path with an empty object if empty is set, and removes another value if drop is
// set. It reports whether it did either.
func mend(text jsontext.Value, path []string, empty, drop bool) (jsontext.Value, bool) {
	if len(path) == 0 {
		return text, false
	}
	members, list := rawjson.Parts(text), text.Kind() == '['
	for i, m := range members {
		if name := m.Name; list && path[0] != strconv.Itoa(i) || !list && name != path[0] {
			continue
		}
		inner, ok := mend(m.Value, path[1:], empty, drop)
		switch {
		case ok:
			members[i].Value = inner
		case len(path) > 1:
			return text, false
		case empty && len(rawjson.Parts(m.Value)) == 0:
			members[i].Value = jsontext.Value("{}")
		case drop:
			members = slices.Delete(members, i, i+1)
		default:
			return text, false
		}
		if list {
			return rawjson.Array(members), true
		}
		return rawjson.Object(members), true
	}
	return text, false
}

// Reason returns an error from decoding JSON with a text that does not mention Go.
func Reason(err error) error { return errors.New(reasonOf(err)) }

// reasonOf describes an error from decoding JSON without the names of Go types.
func reasonOf(err error) string {
	if bad, ok := errors.AsType[*json.SemanticError](err); ok && bad.GoType != nil {
		if path := strings.Join(slices.Collect(bad.JSONPointer.Tokens()), "."); path != "" {
			return fmt.Sprintf("%s is %s, not %s", phrase.Quoted(path, 100), noun(bad.JSONKind), typeNoun(bad.GoType))
		}
		return fmt.Sprintf("it is %s, not %s", noun(bad.JSONKind), typeNoun(bad.GoType))
	}
	if bad, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return "it is not valid JSON: " + strings.TrimPrefix(bad.Error(), "jsontext: ")
	}
	return err.Error()
}

func noun(k jsontext.Kind) string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "true or false"
}

func typeNoun(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	}
	return "a number"
}

// malformed returns the error for a result that does not follow the protocol.
func malformed(method string, err error) error {
	return fmt.Errorf("%s: %w: %s", method, ErrMalformed, reasonOf(err))
}

// note passes a note to the user.
func (s *Session) note(format string, args ...any) {
	if s.options.Note != nil {
		s.options.Note(fmt.Sprintf(format, args...))
	}
}
