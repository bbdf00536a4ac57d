package corpus

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/encode"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A codec holds the generated functions for the arguments and the result of a tool.
type codec struct {
	// zero returns a pointer to a zero value of the tool's type.
	zero func() any
	// decode decodes strictly into a value returned by zero.
	decode func(data []byte, into any) error
	// encode encodes a value returned by zero.
	encode func(value any) ([]byte, error)
}

func both[T any](fields func(*decode.Object, *T), members func(*encode.Object, *T)) codec {
	return codec{
		zero: func() any { return new(T) },
		decode: func(data []byte, into any) error {
			report := decode.Into(data, into.(*T), fields, decode.Options{Strict: true, Closed: true})
			if err := report.Err(); err != nil {
				return errors.New(err.Error())
			}
			return nil
		},
		encode: func(value any) ([]byte, error) {
			text, err := encode.From(value.(*T), members)
			return []byte(text), err
		},
	}
}

// codecs returns the generated code by tool.
func codecs() map[string]codec {
	return map[string]codec{
		"strings":           both(decodeValueStringList, encodeValueStringList),
		"matrix":            both(decodeValueIntListList, encodeValueIntListList),
		"triple":            both(decodeValueIntArray3, encodeValueIntArray3),
		"points":            both(decodeValuePointList, encodeValuePointList),
		"point_array":       both(decodeValuePointArray2, encodeValuePointArray2),
		"blobs":             both(decodeValueByteListList, encodeValueByteListList),
		"times":             both(decodeValueTimeTimeList, encodeValueTimeTimeList),
		"durations":         both(decodeValueTimeDurationList, encodeValueTimeDurationList),
		"anything":          both(decodeValueAnyList, encodeValueAnyList),
		"int64s":            both(decodeValueInt64List, encodeValueInt64List),
		"counts":            both(decodeValueIntByString, encodeValueIntByString),
		"color_names":       both(decodeValueStringByColor, encodeValueStringByColor),
		"by_number":         both(decodeValueStringByInt, encodeValueStringByInt),
		"by_octet":          both(decodeValueBoolByUint8, encodeValueBoolByUint8),
		"by_address":        both(decodeValueIntByNetipAddr, encodeValueIntByNetipAddr),
		"lists":             both(decodeValueStringListByString, encodeValueStringListByString),
		"objects":           both(decodeValueAnyByString, encodeValueAnyByString),
		"point":             both(decodeValuePoint, encodeValuePoint),
		"nested":            both(decodeValueNested, encodeValueNested),
		"embedding":         both(decodeEmbedding, encodeEmbedding),
		"embedding_pointer": both(decodeEmbeddingPointer, encodeEmbeddingPointer),
		"shadowing":         both(decodeShadowing, encodeShadowing),
		"pair":              both(decodeValuePairIntString, encodeValuePairIntString),
		"literal":           both(decodeInline, encodeInline),
		"nothing":           both(decodeValueLiteral, encodeValueLiteral),
		"string_pointer":    both(decodeValueStringPointer, encodeValueStringPointer),
		"point_pointer":     both(decodeValuePointPointer, encodeValuePointPointer),
		"time_pointer":      both(decodeValueTimeTimePointer, encodeValueTimeTimePointer),
		"int64_pointer":     both(decodeValueInt64Pointer, encodeValueInt64Pointer),
		"maybe_string":      both(decodeMaybeString, encodeMaybeString),
		"maybe_int":         both(decodeMaybeInt, encodeMaybeInt),
		"maybe_strings":     both(decodeMaybeStringList, encodeMaybeStringList),
		"maybe_point":       both(decodeMaybePoint, encodeMaybePoint),
		"maybe_pointer":     both(decodeMaybeBoolPointer, encodeMaybeBoolPointer),
		"non_zero_time":     both(decodeNonZeroTimeTime, encodeNonZeroTimeTime),
		"non_zero_point":    both(decodeNonZeroPoint, encodeNonZeroPoint),
		"non_zero_color":    both(decodeNonZeroColor, encodeNonZeroColor),
		"bounded_length":    both(decodeBoundedLengthInput, encodeBoundedLengthInput),
		"patterned":         both(decodePatternedInput, encodePatternedInput),
		"bounded_int":       both(decodeBoundedIntInput, encodeBoundedIntInput),
		"open_int":          both(decodeOpenIntInput, encodeOpenIntInput),
		"bounded_float":     both(decodeBoundedFloatInput, encodeBoundedFloatInput),
		"stepped":           both(decodeSteppedInput, encodeSteppedInput),
		"bounded_list":      both(decodeBoundedListInput, encodeBoundedListInput),
		"unique":            both(decodeUniqueInput, encodeUniqueInput),
		"bounded_map":       both(decodeBoundedMapInput, encodeBoundedMapInput),
		"defaulted":         both(decodeDefaultedInput, encodeDefaultedInput),
		"defaulted_list":    both(decodeDefaultedListInput, encodeDefaultedListInput),
		"defaulted_color":   both(decodeDefaultedColorInput, encodeDefaultedColorInput),
		"narrow_octet":      both(decodeNarrowOctetInput, encodeNarrowOctetInput),
		"bounded_pointer":   both(decodeBoundedPointerInput, encodeBoundedPointerInput),
		"bool":              both(decodeValueBool, encodeValueBool),
		"string":            both(decodeValueString, encodeValueString),
		"int":               both(decodeValueInt, encodeValueInt),
		"int8":              both(decodeValueInt8, encodeValueInt8),
		"int16":             both(decodeValueInt16, encodeValueInt16),
		"int32":             both(decodeValueInt32, encodeValueInt32),
		"int64":             both(decodeValueInt64, encodeValueInt64),
		"uint":              both(decodeValueUint, encodeValueUint),
		"uint8":             both(decodeValueUint8, encodeValueUint8),
		"uint16":            both(decodeValueUint16, encodeValueUint16),
		"uint32":            both(decodeValueUint32, encodeValueUint32),
		"uint64":            both(decodeValueUint64, encodeValueUint64),
		"uintptr":           both(decodeValueUintptr, encodeValueUintptr),
		"float32":           both(decodeValueFloat32, encodeValueFloat32),
		"float64":           both(decodeValueFloat64, encodeValueFloat64),
		"bytes":             both(decodeValueByteList, encodeValueByteList),
		"time":              both(decodeValueTimeTime, encodeValueTimeTime),
		"duration":          both(decodeValueTimeDuration, encodeValueTimeDuration),
		"raw_message":       both(decodeValueJsonRawMessage, encodeValueJsonRawMessage),
		"any":               both(decodeValueAny, encodeValueAny),
		"named_string":      both(decodeValueName, encodeValueName),
		"named_int":         both(decodeValueCount, encodeValueCount),
		"aliased":           both(decodeValueInt16, encodeValueInt16),
		"color":             both(decodeValueColor, encodeValueColor),
		"level":             both(decodeValueLevel, encodeValueLevel),
		"big":               both(decodeValueBigIntPointer, encodeValueBigIntPointer),
		"address":           both(decodeValueNetipAddr, encodeValueNetipAddr),
		"celsius":           both(decodeValueCelsius, encodeValueCelsius),
		"version":           both(decodeValueVersion, encodeValueVersion),
		"log_level":         both(decodeValueSlogLevel, encodeValueSlogLevel),
	}
}

// values returns the JSON values that every tool is called with.
func values() []string {
	return []string{
		`null`, `true`, `false`, `""`, `"a"`, `"ab"`, `"abc"`, `"abcd"`, `"red"`, `"Red"`, `"\u00e9\ud83d\ude00"`, `"<&>"`,
		`0`, `1`, `-1`, `7`, `10`, `11`, `127`, `128`, `-128`, `-129`, `255`, `256`, `65535`, `65536`, `2147483647`, `2147483648`,
		`4294967295`, `4294967296`, `9007199254740991`, `9007199254740993`, `9223372036854775807`, `18446744073709551615`, `1e30`,
		`0.5`, `1.5`, `-0.5`, `0.75`, `5.0`, `1e2`, `3.5e38`,
		`[]`, `[null]`, `["a"]`, `["a","b"]`, `["a","b","c"]`, `[1]`, `[1,1]`, `[1,2]`, `[1,2,3]`, `[[1],[2,3]]`, `[true]`,
		`[{"x":1}]`, `[{"x":1},{"x":2,"y":3}]`, `["1h"]`, `["2026-01-31T15:04:05Z"]`, `["aGk="]`,
		`{}`, `{"a":1}`, `{"a":"b"}`, `{"a":"b","c":"d"}`, `{"1":"a"}`, `{"1":true}`, `{"300":true}`, `{"127.0.0.1":1}`, `{"a":["b"]}`,
		`{"x":1}`, `{"x":1,"y":2}`, `{"x":1,"z":2}`, `{"y":2}`, `{"first":1,"second":"b"}`, `{"red":"warm"}`,
		`{"from":{"x":1},"via":[{"to":{"x":2},"color":"blue"},{"color":"red"}]}`, `{"from":{"x":1},"via":[{"color":"green"}]}`,
		`"1h30m"`, `"-1.5s"`, `"90"`, `"2026-01-31T15:04:05.5+02:00"`, `"2026-01-31"`, `"aGk="`, `"aGk"`, `"?"`,
		`"127.0.0.1"`, `"::1"`, `"v1.2"`, `"v1"`, `"INFO"`, `"12345678901234567890"`,
	}
}

// inputs returns the arguments that the tools are called with.
func inputs() []string {
	all := []string{`{}`, `{"value":1,"other":2}`, `{"value":"a","other":2,"own":"b"}`, `{"own":"b"}`, `{"value":1,"zzz":1}`}
	for _, v := range values() {
		all = append(all, `{"value":`+v+`}`)
	}
	return all
}

func published(t *testing.T) map[string]manifest.Tool {
	t.Helper()
	tools := map[string]manifest.Tool{}
	for _, tool := range contract.Tools {
		tools[tool.Name] = tool
		if _, ok := codecs()[tool.Name]; !ok {
			t.Errorf("tool %s is not tested", tool.Name)
		}
	}
	return tools
}

// generic decodes JSON without a type.
func generic(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}
