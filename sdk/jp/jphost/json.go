package jphost

import (
	"encoding/json"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// readObject returns the members of an object that passed wire.Check, and the names that occur more than once.
// For such a name, the last member is used. A value that is not an object has no members.
func readObject(raw json.RawMessage) (members map[string]json.RawMessage, twice map[string]bool) {
	if !isObject(raw) {
		return nil, nil
	}
	members, twice = make(map[string]json.RawMessage), make(map[string]bool)
	for _, m := range rawjson.Parts(jsontext.Value(raw)) {
		if _, again := members[m.Name]; again {
			twice[m.Name] = true
		}
		members[m.Name] = json.RawMessage(m.Value)
	}
	return members, twice
}

// readArray returns the elements of an array that passed wire.Check.
func readArray(raw json.RawMessage) []json.RawMessage {
	var items []json.RawMessage
	if isArray(raw) {
		for _, m := range rawjson.Parts(jsontext.Value(raw)) {
			items = append(items, json.RawMessage(m.Value))
		}
	}
	return items
}

// readString returns the value of a string, or "" for any other value.
func readString(raw json.RawMessage) string {
	if !isString(raw) {
		return ""
	}
	text, _ := jsontext.AppendUnquote(nil, raw)
	return string(text)
}

func kind(raw json.RawMessage) jsontext.Kind { return jsontext.Value(raw).Kind() }

func isObject(raw json.RawMessage) bool { return kind(raw) == '{' }
func isArray(raw json.RawMessage) bool  { return kind(raw) == '[' }
func isString(raw json.RawMessage) bool { return kind(raw) == '"' }
func isNumber(raw json.RawMessage) bool { return kind(raw) == '0' }
func isBool(raw json.RawMessage) bool   { return kind(raw) == 't' || kind(raw) == 'f' }
func isNull(raw json.RawMessage) bool   { return kind(raw) == 'n' }
func isAny(json.RawMessage) bool        { return true }

func isInt32(raw json.RawMessage) bool {
	_, err := strconv.ParseInt(string(raw), 10, 32)
	return err == nil
}

// isSize reports whether raw is an integer that an unsigned 32-bit field accepts.
func isSize(raw json.RawMessage) bool {
	_, err := strconv.ParseUint(string(raw), 10, 32)
	return err == nil
}
