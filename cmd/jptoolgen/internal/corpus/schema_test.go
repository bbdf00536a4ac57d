package corpus

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// decoderRestrictions says why the decoder of a tool rejects some values that its schema allows.
func decoderRestrictions() reasons {
	const (
		form   = "a format describes a string, but validators need not check it"
		keys   = "the schema does not describe the keys of a map"
		bits64 = "a number beyond 2^53-1 must be sent as a string"
		single = "the range of a float32 is left out"
	)
	return reasons{
		"bytes": form, "blobs": form, "time": form, "times": form, "time_pointer": form, "non_zero_time": form,
		"address": form, "big": form, "log_level": form,
		"by_number": keys, "by_octet": keys, "by_address": keys,
		"int": bits64, "uint": bits64, "uintptr": bits64,
		"named_int": bits64, "maybe_int": bits64, "defaulted": bits64, "shadowing": bits64,
		"float32": single,
	}
}

// closeObjects returns a schema in which objects with properties allow no other properties. The published schemas do
// not say so, but a server rejects undeclared names.
func closeObjects(schema any) any {
	switch s := schema.(type) {
	case map[string]any:
		for key := range s {
			s[key] = closeObjects(s[key])
		}
		if properties, _ := s["properties"].(map[string]any); len(properties) > 0 && s["additionalProperties"] == nil {
			s["additionalProperties"] = false
		}
	case []any:
		for i := range s {
			s[i] = closeObjects(s[i])
		}
	}
	return schema
}

// compile compiles a schema together with the server's policy for undeclared names.
func compile(t *testing.T, schema []byte) *jsonschema.Resolved {
	t.Helper()
	text := text(t, closeObjects(generic(t, schema)))
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return resolved
}

func TestSchemasAndDecodersAgree(t *testing.T) {
	excused := decoderRestrictions()
	for name, tool := range readTools(t) {
		input, c := compile(t, tool.Input), codecs()[name]
		for _, text := range inputs() {
			allowed := input.Validate(generic(t, []byte(text)))
			taken := c.decode([]byte(text), c.zero())
			switch {
			case allowed == nil && taken != nil && !excused.use(name):
				t.Errorf("%s %s: the schema allows it, but the decoder rejects it: %v", name, text, taken)
			case allowed != nil && taken == nil && !isAbsent(t, tool.Input, text) && !isFolded(name, text) && name != "celsius":
				// Celsius handles null itself.
				t.Errorf("%s %s: the decoder accepts it, but the schema does not allow it: %v", name, text, allowed)
			}
		}
	}
	excused.reportUnused(t)
}

// isFolded reports whether text differs from a constant only in case, so the decoder accepts it as that constant.
func isFolded(name, text string) bool {
	return strings.HasSuffix(name, "color") && text == `{"value":"Red"}`
}

// isAbsent reports whether text contains null for an optional field, which the decoder treats as absent.
func isAbsent(t *testing.T, input []byte, text string) bool {
	schema, _ := generic(t, input).(map[string]any)
	return text == `{"value":null}` && schema["required"] == nil
}

func TestResultsFitTheirSchemas(t *testing.T) {
	for name, tool := range readTools(t) {
		output, c := compile(t, tool.Output), codecs()[name]
		for _, text := range inputs() {
			value := c.zero()
			if c.decode([]byte(text), value) != nil {
				continue
			}
			out, err := c.encode(value)
			if err != nil {
				t.Errorf("%s %s: %v", name, text, err)
				continue
			}
			if err := output.Validate(generic(t, out)); err != nil {
				t.Errorf("%s %s: the result %s does not match the schema: %v", name, text, out, err)
			}
		}
	}
}

// reasons are the reasons for expected differences, keyed by tool. A reason that is used is replaced with the
// constant used.
type reasons map[string]string

func (r reasons) use(tool string) bool {
	_, excused := r[tool]
	if excused {
		r[tool] = used
	}
	return excused
}

const used = "used"

// reportUnused reports reasons for differences that did not occur.
func (r reasons) reportUnused(t *testing.T) {
	t.Helper()
	for tool, reason := range r {
		if reason != used {
			t.Errorf("%s: no difference, but one is expected: %q", tool, reason)
		}
	}
}
