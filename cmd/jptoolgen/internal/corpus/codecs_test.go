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

func newCodec[T any](fields func(*decode.Object, *T), members func(*encode.Object, *T)) codec {
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

// codecs returns the generated code, keyed by tool.
func codecs() map[string]codec {
	return map[string]codec{
		"strings":           newCodec(decodeValueStringList, encodeValueStringList),
		"matrix":            newCodec(decodeValueIntListList, encodeValueIntListList),
		"triple":            newCodec(decodeValueIntArray3, encodeValueIntArray3),
		"points":            newCodec(decodeValuePointList, encodeValuePointList),
		"point_array":       newCodec(decodeValuePointArray2, encodeValuePointArray2),
		"blobs":             newCodec(decodeValueByteListList, encodeValueByteListList),
		"times":             newCodec(decodeValueTimeTimeList, encodeValueTimeTimeList),
		"durations":         newCodec(decodeValueTimeDurationList, encodeValueTimeDurationList),
		"anything":          newCodec(decodeValueAnyList, encodeValueAnyList),
		"int64s":            newCodec(decodeValueInt64List, encodeValueInt64List),
		"counts":            newCodec(decodeValueIntByString, encodeValueIntByString),
		"color_names":       newCodec(decodeValueStringByColor, encodeValueStringByColor),
		"by_number":         newCodec(decodeValueStringByInt, encodeValueStringByInt),
		"by_octet":          newCodec(decodeValueBoolByUint8, encodeValueBoolByUint8),
		"by_address":        newCodec(decodeValueIntByNetipAddr, encodeValueIntByNetipAddr),
		"lists":             newCodec(decodeValueStringListByString, encodeValueStringListByString),
		"objects":           newCodec(decodeValueAnyByString, encodeValueAnyByString),
		"point":             newCodec(decodeValuePoint, encodeValuePoint),
		"nested":            newCodec(decodeValueNested, encodeValueNested),
		"embedding":         newCodec(decodeEmbedding, encodeEmbedding),
		"embedding_pointer": newCodec(decodeEmbeddingPointer, encodeEmbeddingPointer),
		"shadowing":         newCodec(decodeShadowing, encodeShadowing),
		"pair":              newCodec(decodeValuePairIntString, encodeValuePairIntString),
		"literal":           newCodec(decodeInline, encodeInline),
		"nothing":           newCodec(decodeValueLiteral, encodeValueLiteral),
		"string_pointer":    newCodec(decodeValueStringPointer, encodeValueStringPointer),
		"point_pointer":     newCodec(decodeValuePointPointer, encodeValuePointPointer),
		"time_pointer":      newCodec(decodeValueTimeTimePointer, encodeValueTimeTimePointer),
		"int64_pointer":     newCodec(decodeValueInt64Pointer, encodeValueInt64Pointer),
		"maybe_string":      newCodec(decodeMaybeString, encodeMaybeString),
		"maybe_int":         newCodec(decodeMaybeInt, encodeMaybeInt),
		"maybe_strings":     newCodec(decodeMaybeStringList, encodeMaybeStringList),
		"maybe_point":       newCodec(decodeMaybePoint, encodeMaybePoint),
		"maybe_pointer":     newCodec(decodeMaybeBoolPointer, encodeMaybeBoolPointer),
		"non_zero_time":     newCodec(decodeNonZeroTimeTime, encodeNonZeroTimeTime),
		"non_zero_point":    newCodec(decodeNonZeroPoint, encodeNonZeroPoint),
		"non_zero_color":    newCodec(decodeNonZeroColor, encodeNonZeroColor),
		"bounded_length":    newCodec(decodeBoundedLengthInput, encodeBoundedLengthInput),
		"patterned":         newCodec(decodePatternedInput, encodePatternedInput),
		"bounded_int":       newCodec(decodeBoundedIntInput, encodeBoundedIntInput),
		"open_int":          newCodec(decodeOpenIntInput, encodeOpenIntInput),
		"bounded_float":     newCodec(decodeBoundedFloatInput, encodeBoundedFloatInput),
		"stepped":           newCodec(decodeSteppedInput, encodeSteppedInput),
		"bounded_list":      newCodec(decodeBoundedListInput, encodeBoundedListInput),
		"unique":            newCodec(decodeUniqueInput, encodeUniqueInput),
		"bounded_map":       newCodec(decodeBoundedMapInput, encodeBoundedMapInput),
		"defaulted":         newCodec(decodeDefaultedInput, encodeDefaultedInput),
		"defaulted_list":    newCodec(decodeDefaultedListInput, encodeDefaultedListInput),
		"defaulted_color":   newCodec(decodeDefaultedColorInput, encodeDefaultedColorInput),
		"narrow_octet":      newCodec(decodeNarrowOctetInput, encodeNarrowOctetInput),
		"bounded_pointer":   newCodec(decodeBoundedPointerInput, encodeBoundedPointerInput),
		"bool":              newCodec(decodeValueBool, encodeValueBool),
		"string":            newCodec(decodeValueString, encodeValueString),
		"int":               newCodec(decodeValueInt, encodeValueInt),
		"int8":              newCodec(decodeValueInt8, encodeValueInt8),
		"int16":             newCodec(decodeValueInt16, encodeValueInt16),
		"int32":             newCodec(decodeValueInt32, encodeValueInt32),
		"int64":             newCodec(decodeValueInt64, encodeValueInt64),
		"uint":              newCodec(decodeValueUint, encodeValueUint),
		"uint8":             newCodec(decodeValueUint8, encodeValueUint8),
		"uint16":            newCodec(decodeValueUint16, encodeValueUint16),
		"uint32":            newCodec(decodeValueUint32, encodeValueUint32),
		"uint64":            newCodec(decodeValueUint64, encodeValueUint64),
		"uintptr":           newCodec(decodeValueUintptr, encodeValueUintptr),
		"float32":           newCodec(decodeValueFloat32, encodeValueFloat32),
		"float64":           newCodec(decodeValueFloat64, encodeValueFloat64),
		"bytes":             newCodec(decodeValueByteList, encodeValueByteList),
		"time":              newCodec(decodeValueTimeTime, encodeValueTimeTime),
		"duration":          newCodec(decodeValueTimeDuration, encodeValueTimeDuration),
		"raw_message":       newCodec(decodeValueJsonRawMessage, encodeValueJsonRawMessage),
		"any":               newCodec(decodeValueAny, encodeValueAny),
		"named_string":      newCodec(decodeValueName, encodeValueName),
		"named_int":         newCodec(decodeValueCount, encodeValueCount),
		"aliased":           newCodec(decodeValueInt16, encodeValueInt16),
		"color":             newCodec(decodeValueColor, encodeValueColor),
		"level":             newCodec(decodeValueLevel, encodeValueLevel),
		"big":               newCodec(decodeValueBigIntPointer, encodeValueBigIntPointer),
		"address":           newCodec(decodeValueNetipAddr, encodeValueNetipAddr),
		"celsius":           newCodec(decodeValueCelsius, encodeValueCelsius),
		"version":           newCodec(decodeValueVersion, encodeValueVersion),
		"log_level":         newCodec(decodeValueSlogLevel, encodeValueSlogLevel),
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

func readTools(t *testing.T) map[string]manifest.Tool {
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

// generic decodes JSON to an untyped value.
func generic(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}
