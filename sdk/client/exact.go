package client

import (
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// maxSafe is the largest integer up to which all integers are exact as a float64 (RFC 8259, section 6).
const maxSafe = "9007199254740991"

// exact encodes arguments. Integers beyond 2^53-1 become strings, because servers cannot know whether such a number
// was rounded, and those built with jptool reject it.
func exact(in any) (json.RawMessage, error) {
	text, err := json.Marshal(in)
	return json.RawMessage(exactValue(text)), err
}

func exactValue(v jsontext.Value) jsontext.Value {
	switch v.Kind() {
	case '0':
		digits := strings.TrimPrefix(string(v), "-")
		large := len(digits) > len(maxSafe) || len(digits) == len(maxSafe) && digits > maxSafe
		if large && !strings.ContainsAny(digits, ".eE") {
			return rawjson.Quote(string(v))
		}
	case '{', '[':
		members := rawjson.Parts(v)
		for i := range members {
			members[i].Value = exactValue(members[i].Value)
		}
		if v.Kind() == '{' {
			return rawjson.Object(members)
		}
		return rawjson.Array(members)
	}
	return v
}
