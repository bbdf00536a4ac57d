package bundle

import "encoding/json"

// These types describe the parts of an MCPB manifest that are used here.
type (
	description struct {
		ManifestVersion string           `json:"manifest_version"`
		Name            string           `json:"name"`
		Version         string           `json:"version"`
		Description     string           `json:"description"`
		Author          author           `json:"author"`
		Server          program          `json:"server"`
		Tools           []tool           `json:"tools,omitempty"`
		UserConfig      map[string]field `json:"user_config,omitempty"`
		Compatibility   compatibility    `json:"compatibility"`
	}
	author struct {
		Name string `json:"name"`
	}
	program struct {
		Type       string `json:"type"`
		EntryPoint string `json:"entry_point"`
		Config     config `json:"mcp_config"`
	}
	config struct {
		Command   string                `json:"command"`
		Args      []string              `json:"args,omitempty"`
		Env       map[string]string     `json:"env,omitempty"`
		Overrides map[Platform]override `json:"platform_overrides,omitempty"`
	}
	override struct {
		Command string `json:"command"`
	}
	tool struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	field struct {
		Type        string      `json:"type"`
		Title       string      `json:"title"`
		Description string      `json:"description"`
		Required    bool        `json:"required"`
		Sensitive   bool        `json:"sensitive,omitempty"`
		Default     any         `json:"default,omitempty"`
		Min         json.Number `json:"min,omitempty"`
		Max         json.Number `json:"max,omitempty"`
	}
	compatibility struct {
		Platforms []Platform `json:"platforms"`
	}
)
