package crates

import "github.com/jptool/jptool/sdk/elicit"

// DocsQuestions are the questions of a tool that needs documentation.
type DocsQuestions struct {
	// Which crate to use if the given name does not exist but similar names do.
	PickCrate elicit.Pick `ask:"pick-crate"`
	// Which version to use if the latest is a pre-release, or the requested one has no documentation.
	PickVersion elicit.Pick `ask:"pick-version"`
	// Whether to download documentation that is larger than confirm_above_bytes.
	ConfirmFetch elicit.Confirm `ask:"confirm-fetch" default:"true"`
}

// VersionQuestions are the questions of a tool that needs a version.
type VersionQuestions struct {
	// Which crate to use if the given name does not exist but similar names do.
	PickCrate elicit.Pick `ask:"pick-crate"`
	// Which version to use if the latest is a pre-release.
	PickVersion elicit.Pick `ask:"pick-version"`
}

// CrateQuestions are the questions of a tool that needs a crate.
type CrateQuestions struct {
	// Which crate to use if the given name does not exist but similar names do.
	PickCrate elicit.Pick `ask:"pick-crate"`
}

// DocsOptions configures a tool that needs documentation.
//
//jp:options
type DocsOptions struct {
	// Ask before downloading documentation that is larger than this number of bytes; 0 always asks.
	ConfirmAboveBytes int64 `json:"confirm_above_bytes" jsonschema:"minimum=0,default=20971520"`
	// Maximum number of bytes in a result; values above 24000 are treated as 24000.
	MaxResponseBytes int `json:"max_response_bytes" jsonschema:"minimum=1024,maximum=16777216,default=16384"`
	// Ask which version to use; if false, use the version that the question would offer first.
	AskVersion bool `json:"ask_version" jsonschema:"default=true"`
}

// VersionOptions configures a tool that needs a version.
//
//jp:options
type VersionOptions struct {
	// Maximum number of bytes in a result; values above 24000 are treated as 24000.
	MaxResponseBytes int `json:"max_response_bytes" jsonschema:"minimum=1024,maximum=16777216,default=16384"`
	// Ask which version to use; if false, use the version that the question would offer first.
	AskVersion bool `json:"ask_version" jsonschema:"default=true"`
}

// AnswerOptions configures a tool that needs neither documentation nor a version.
//
//jp:options
type AnswerOptions struct {
	// Maximum number of bytes in a result; values above 24000 are treated as 24000.
	MaxResponseBytes int `json:"max_response_bytes" jsonschema:"minimum=1024,maximum=16777216,default=16384"`
}
