package manifest

// Settings are what an operator can set when a program is started.
type Settings struct {
	Flags     []Setting `json:"flags"`     // in the order of --help; each name starts with --
	Variables []Setting `json:"variables"` // of the environment
}

// A Setting is a flag or an environment variable.
type Setting struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Type        string   `json:"type"`            // "string", "number", "boolean" or "filepath"
	Value       string   `json:"value,omitempty"` // stands for the value in the help, such as FILE
	Default     string   `json:"default,omitempty"`
	Choices     []string `json:"choices,omitempty"`
	Repeated    bool     `json:"repeated,omitempty"` // the flag can be repeated
	Secret      bool     `json:"secret,omitempty"`
	Required    bool     `json:"required,omitempty"` // every call needs it
}
