package corpus

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
)

// TestSchemasAgreeWithReflector compares the schemas generated from source with the schemas that
// invopop/jsonschema generates by reflection from the same types.
func TestSchemasAgreeWithReflector(t *testing.T) {
	excused := reflectorDifferences()
	for name, tool := range readTools(t) {
		mine, theirs := normalizeSchema(generic(t, tool.Input)), normalizeSchema(reflectSchema(t, name))
		if !reflect.DeepEqual(mine, theirs) && !excused.use(name) {
			t.Errorf("%s:\n got %s\nwant %s", name, text(t, mine), text(t, theirs))
		}
	}
	excused.reportUnused(t)
}

// reflectSchema returns the reflector's schema for a tool's type, or nil if the reflector panics.
func reflectSchema(t *testing.T, name string) (schema any) {
	defer func() {
		if recover() != nil {
			schema = nil
		}
	}()
	r := jsonschema.Reflector{DoNotReference: true, Anonymous: true, ExpandedStruct: true}
	return generic(t, text(t, r.ReflectFromType(reflect.TypeOf(codecs()[name].zero()).Elem())))
}

// reflectorDifferences lists the expected differences.
func reflectorDifferences() reasons {
	all := reasons{}
	for reason, tools := range map[string]string{
		"a pointer is optional":                                    "string_pointer int64_pointer point_pointer time_pointer bounded_pointer",
		"a field with a default is optional":                       "defaulted defaulted_list",
		"a field of an embedded pointer is optional":               "embedding_pointer",
		"any value is {}, because some clients do not accept true": "any raw_message anything",
		"an object always has properties":                          "counts color_names by_number by_octet by_address lists objects",
		"64-bit integers have the range in which floats are exact": "int64 int64s",
		"sized integers have bounds":                               "int8 int16 int32 uint uint8 uint16 uint32 uint64 aliased narrow_octet",
		"reflection does not find constants":                       "color level nested non_zero_color defaulted_color",
		"a duration is a string with units":                        "duration durations",
		"a type with its own encoding is not a struct":             "address big log_level celsius version",
		"the reflector does not support these":                     "uintptr unique bounded_map",
	} {
		for tool := range strings.FieldsSeq(tools) {
			all[tool] = reason
		}
	}
	return all
}

// normalizeSchema removes the descriptions, which the reflector cannot know, and the keywords that the reflector adds.
func normalizeSchema(schema any) any {
	switch s := schema.(type) {
	case map[string]any:
		delete(s, "description")
		delete(s, "$schema")
		if members, _ := s["properties"].(map[string]any); len(members) > 0 && s["additionalProperties"] == false {
			delete(s, "additionalProperties")
		}
		for key, value := range s {
			if key != "properties" {
				s[key] = normalizeSchema(value)
				continue
			}
			for name, property := range value.(map[string]any) {
				value.(map[string]any)[name] = normalizeSchema(property)
			}
		}
	case []any:
		for i := range s {
			s[i] = normalizeSchema(s[i])
		}
	}
	return schema
}

func text(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
