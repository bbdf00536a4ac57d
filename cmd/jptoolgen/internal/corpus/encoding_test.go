package corpus

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

const (
	words    = "a duration is a string with units, which a model can read"
	asString = "an integer that may exceed 2^53 is written as a string"
	absent   = "nil is left out, because the schema does not allow null"
)

// decoderDifferences lists the differences between the decoders and encoding/json.
func decoderDifferences() reasons {
	const (
		padding = "the padding of base64 is optional"
		filled  = "a missing value gets its declared default"
	)
	return reasons{
		"duration": words, "durations": words, "big": asString, "bytes": padding, "blobs": padding,
		"defaulted": filled, "defaulted_list": filled, "defaulted_color": filled,
		"raw_message":       "escapes are written in another form",
		"embedding_pointer": "null is a missing value",
	}
}

// encoderDifferences lists the differences between the encoders and encoding/json.
func encoderDifferences() reasons {
	return reasons{
		"duration": words, "durations": words,
		"int64": asString, "int64s": asString, "uint64": asString, "big": asString,
		"int64_pointer": asString, "string_pointer": absent, "point_pointer": absent, "time_pointer": absent,
		"bounded_pointer": absent, "nested": absent,
	}
}

func TestDecodersAgreeWithEncodingJSON(t *testing.T) {
	excused := decoderDifferences()
	for name, c := range codecs() {
		for _, text := range inputs() {
			mine, theirs := c.zero(), c.zero()
			if c.decode([]byte(text), mine) != nil {
				continue
			}
			d := json.NewDecoder(bytes.NewReader([]byte(text)))
			d.UseNumber()
			switch err := d.Decode(theirs); {
			case err != nil && isWhole(text):
				// As in JSON Schema, a number with a fractional part of 0 is an integer.
			case err != nil && !excused.use(name):
				t.Errorf("%s %s: encoding/json: %v", name, text, err)
			case err == nil && isFolded(name, text):
			case err == nil && !reflect.DeepEqual(mine, theirs) && !excused.use(name):
				t.Errorf("%s %s: got %+v, encoding/json has %+v", name, text, mine, theirs)
			}
		}
	}
	excused.reportUnused(t)
}

func isWhole(text string) bool {
	return strings.HasSuffix(text, ":5.0}") || strings.HasSuffix(text, ":1e2}")
}

func TestEncodersAgreeWithEncodingJSON(t *testing.T) {
	excused := encoderDifferences()
	for name, c := range codecs() {
		for _, text := range inputs() {
			value := c.zero()
			if c.decode([]byte(text), value) != nil {
				continue
			}
			mine, err := c.encode(value)
			if err != nil {
				continue // an integer that is too large, which another test checks
			}
			theirs, err := json.Marshal(value)
			if err != nil {
				t.Errorf("%s %s: %v", name, text, err)
				continue
			}
			if !reflect.DeepEqual(generic(t, mine), generic(t, theirs)) && !excused.use(name) {
				t.Errorf("%s %s: got %s, encoding/json has %s", name, text, mine, theirs)
			}
		}
	}
	excused.reportUnused(t)
}
