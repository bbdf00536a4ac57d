package schema

import "github.com/invopop/jsonschema"

// Enveloped returns the schema of {success, data, error}, where data is nil for tools that return nothing.
// Either data or error is missing, depending on success; allowing null instead would need a union of types,
// which some clients reject. codes are the codes that a call may fail with.
func Enveloped(data *jsonschema.Schema, codes []any) *jsonschema.Schema {
	s := object("success")
	s.Properties.Set("success", schemaOf("boolean", "Whether the call succeeded."))
	if data != nil {
		if data.Description == "" {
			data.Description = "The result of a call that succeeded."
		}
		s.Properties.Set("data", data)
	}
	fault := object("code", "message", "recoverable")
	fault.Description = "Why the call failed."
	code := schemaOf("string", "The error code.")
	code.Enum = codes
	fault.Properties.Set("code", code)
	fault.Properties.Set("message", schemaOf("string", "What went wrong, and what to do about it."))
	details := schemaOf("object", "Structured information.")
	details.Properties = jsonschema.NewProperties()
	fault.Properties.Set("details", details)
	fault.Properties.Set("recoverable", schemaOf("boolean", "Whether a corrected call may succeed."))
	s.Properties.Set("error", fault)
	return s
}

func object(required ...string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), Required: required}
}

func schemaOf(kind, text string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: kind, Description: text}
}
