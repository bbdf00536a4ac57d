package main

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// SaveInput is what the model sends.
type SaveInput struct {
	// Path of the file, relative to the directory of the call.
	Path string `json:"path" jsonschema:"minLength=1,maxLength=200"`
	// Text that the file is to hold.
	Text string `json:"text" jsonschema:"maxLength=100000"`
}

// SaveQuestions is everything Save may ask.
type SaveQuestions struct {
	// Whether to replace a file that exists.
	Replace elicit.Confirm `default:"false"`
}

// SaveOptions is what the user may configure.
//
//jp:options
type SaveOptions struct {
	// Replace files without asking.
	AlwaysReplace bool `json:"always_replace" jsonschema:"default=false"`
}

// Save writes a text to a file, and asks before it replaces one.
//
//jp:tool name=save title="Save a text" destructive=true idempotent=true openworld=false
//jp:fails conflict permission_denied
func (*MyNotes) Save(ctx context.Context, in SaveInput, ask SaveQuestions, opt SaveOptions, call *tool.Call) (string, error) {
	files, err := call.Files() // confined to the directory of the call, and to what the user grants
	if err != nil {
		return "", err
	}
	if _, err := files.Stat(in.Path); err == nil && !opt.AlwaysReplace {
		replace, err := ask.Replace.For(in.Path).Ask(ctx, "%s exists. Replace it?", in.Path)
		if err != nil {
			return "", err // declined, or not answered yet: return it
		}
		if !replace {
			return "", fault.New(fault.Conflict, "%s exists and was not replaced", in.Path)
		}
	}
	if err := files.WriteFile(in.Path, []byte(in.Text), 0o644); err != nil {
		return "", err
	}
	return "Saved " + in.Path + ".", nil
}
