package crates

import "github.com/jptool/jptool/sdk/elicit"

// DocsQuestions is what a tool that needs documentation may ask.
type DocsQuestions struct {
	// Which crate is meant by a name that is almost that of one.
	PickCrate elicit.Pick `ask:"pick-crate"`
	// Which version to use where the one asked for is missing, yanked, a pre-release or without documentation.
	PickVersion elicit.Pick `ask:"pick-version"`
	// Whether to download documentation that is larger than confirm_above_bytes.
	ConfirmFetch elicit.Confirm `ask:"confirm-fetch" default:"true"`
}

// VersionQuestions is what a tool that needs a version may ask.
type VersionQuestions struct {
	// Which crate is meant by a name that is almost that of one.
	PickCrate elicit.Pick `ask:"pick-crate"`
	// Which version to use where the one asked for is missing, yanked or a pre-release.
	PickVersion elicit.Pick `ask:"pick-version"`
}

// CrateQuestions is what a tool that needs a crate may ask.
type CrateQuestions struct {
	// Which crate is meant by a name that is almost that of one.
	PickCrate elicit.Pick `ask:"pick-crate"`
}

// DocsOptions configures a tool that needs documentation.
//
//jp:options
type DocsOptions struct {
	// Documentation of more bytes than this is downloaded only after asking; 0 asks always.
	ConfirmAboveBytes int64 `json:"confirm_above_bytes" jsonschema:"minimum=0,default=20971520"`
	// The most bytes of an answer.
	MaxResponseBytes int `json:"max_response_bytes" jsonschema:"minimum=1024,maximum=16777216,default=262144"`
	// Whether to ask which version to use; if not, the one that would be offered first is used.
	AskVersion bool `json:"ask_version" jsonschema:"default=true"`
}

// VersionOptions configures a tool that needs a version.
//
//jp:options
type VersionOptions struct {
	// The most bytes of an answer.
	MaxResponseBytes int `json:"max_response_bytes" jsonschema:"minimum=1024,maximum=16777216,default=262144"`
	// Whether to ask which version to use; if not, the one that would be offered first is used.
	AskVersion bool `json:"ask_version" jsonschema:"default=true"`
}

// AnswerOptions configures a tool that needs neither.
//
//jp:options
type AnswerOptions struct {
	// The most bytes of an answer.
	MaxResponseBytes int `json:"max_response_bytes" jsonschema:"minimum=1024,maximum=16777216,default=262144"`
}
