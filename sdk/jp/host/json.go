package host

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// readObject returns the members of an object that passed wire.Check, and the names that it has
// twice, of which the last member counts. A value that is not an object has no members.
func readObject(raw json.RawMessage) (members map[string]json.RawMessage, twice map[string]bool) {
	if !isObject(raw) {
		return nil, nil
	}
	members, twice = make(map[string]json.RawMessage), make(map[string]bool)
	dec := inside(raw)
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		if err != nil {
			break
		}
		name := token.String()
		member := next(dec, raw)
		if member == nil {
			break
		}
		if _, again := members[name]; again {
			twice[name] = true
		}
		members[name] = member
	}
	return members, twice
}

// readArray returns the items of an array that passed wire.Check.
func readArray(raw json.RawMessage) []json.RawMessage {
	if !isArray(raw) {
		return nil
	}
	var items []json.RawMessage
	dec := inside(raw)
	for dec.PeekKind() != ']' {
		item := next(dec, raw)
		if item == nil {
			break
		}
		items = append(items, item)
	}
	return items
}

// inside returns a decoder that has entered an object or array. It reads raw in place.
func inside(raw json.RawMessage) *jsontext.Decoder {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true))
	// Raw opens with a bracket, and what follows is read with its error.
	_, _ = dec.ReadToken()
	return dec
}

// next returns the decoder's next value as a part of raw, which outlives the decoder.
func next(dec *jsontext.Decoder, raw json.RawMessage) json.RawMessage {
	value, err := dec.ReadValue()
	if err != nil {
		return nil
	}
	end := int(dec.InputOffset())
	return raw[end-len(value) : end : end]
}

// readString returns the text of a string, and nothing of any other value.
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

// isSize takes the integers of an unsigned 32-bit field.
func isSize(raw json.RawMessage) bool {
	_, err := strconv.ParseUint(string(raw), 10, 32)
	return err == nil
}
