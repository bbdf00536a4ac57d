package jphost

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// readObject returns the members of an object that passed wire.Check, and the names that occur more than once.
// The last member of such a name is used. A value that is not an object has no members.
func readObject(raw json.RawMessage) (members map[string]json.RawMessage, twice map[string]bool) {
	if !isObject(raw) {
		return nil, nil
	}
	members, twice = make(map[string]json.RawMessage), make(map[string]bool)
	for name, value := range parts(raw) {
		if _, again := members[name]; again {
			twice[name] = true
		}
		members[name] = value
	}
	return members, twice
}

// readArray returns the elements of an array that passed wire.Check.
func readArray(raw json.RawMessage) []json.RawMessage {
	var items []json.RawMessage
	if isArray(raw) {
		for _, item := range parts(raw) {
			items = append(items, item)
		}
	}
	return items
}

// parts iterates over the members of an object, or over the elements of an array with empty names. The yielded
// slices share memory with raw.
func parts(raw json.RawMessage) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true))
		open, err := dec.ReadToken()
		for named := open.Kind() == '{'; err == nil; {
			var name jsontext.Token
			if named {
				name, err = dec.ReadToken()
			}
			text := name.String() // reading the next token invalidates name
			value, ended := dec.ReadValue()
			end := int(dec.InputOffset())
			if err != nil || ended != nil || !yield(text, raw[end-len(value):end:end]) {
				return
			}
		}
	}
}

// readString returns the value of a string, or "" for any other value.
func readString(raw json.RawMessage) string {
	if !isString(raw) {
		return ""
	}
	text, _ := jsontext.AppendUnquote(nil, raw)
	return string(text)
}

func first(raw json.RawMessage) byte {
	if raw = bytes.TrimLeft(raw, " \t\r\n"); len(raw) > 0 {
		return raw[0]
	}
	return 0
}

func isObject(raw json.RawMessage) bool { return first(raw) == '{' }
func isArray(raw json.RawMessage) bool  { return first(raw) == '[' }
func isString(raw json.RawMessage) bool { return first(raw) == '"' }
func isNull(raw json.RawMessage) bool   { return first(raw) == 'n' }
func isAny(json.RawMessage) bool        { return true }

func isBool(raw json.RawMessage) bool {
	return first(raw) == 't' || first(raw) == 'f'
}

func isNumber(raw json.RawMessage) bool {
	b := first(raw)
	return b == '-' || (b >= '0' && b <= '9')
}

func isInt32(raw json.RawMessage) bool {
	_, err := strconv.ParseInt(string(raw), 10, 32)
	return err == nil
}

// isSize reports whether raw is an integer that an unsigned 32-bit field accepts.
func isSize(raw json.RawMessage) bool {
	_, err := strconv.ParseUint(string(raw), 10, 32)
	return err == nil
}
