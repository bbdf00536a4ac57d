package schema

// Enveloped returns the schema of {success, data, error}, where data is nil for tools that return nothing.
// Either data or error is missing, depending on success; allowing null instead would need a union of types,
// which some clients reject. codes are the codes that a call may fail with.
func Enveloped(data *Schema, codes []any) *Schema {
	s := object("success")
	s.set("success", described("boolean", "Whether the call succeeded."))
	if data != nil {
		if data.Description == "" {
			data.Description = "The result of a call that succeeded."
		}
		s.set("data", data)
	}
	fault := object("code", "message", "recoverable")
	fault.Description = "Why the call failed."
	code := described("string", "The error code.")
	code.Enum = codes
	fault.set("code", code)
	fault.set("message", described("string", "What went wrong, and what would help."))
	details := object()
	details.Description = "Structured information."
	fault.set("details", details)
	fault.set("recoverable", described("boolean", "Whether a repaired call may succeed."))
	s.set("error", fault)
	return s
}

func object(required ...string) *Schema {
	return &Schema{Type: Types{"object"}, Properties: Properties{}, Required: required}
}

func described(kind, text string) *Schema {
	return &Schema{Type: Types{kind}, Description: text}
}

func (s *Schema) set(name string, property *Schema) {
	s.Properties = append(s.Properties, Property{name, property})
}
