package main

import (
	"context"
	"errors"
	"io/fs"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// SaveInput holds the arguments of save.
type SaveInput struct {
	// Path of the file, relative to the root directory.
	Path string `json:"path" jsonschema:"minLength=1,maxLength=200"`
	// Text to write to the file.
	Text string `json:"text" jsonschema:"maxLength=100000"`
}

// SaveQuestions are the questions that save can ask.
type SaveQuestions struct {
	// Whether to replace an existing file.
	Replace elicit.Confirm `ask:",subjects" default:"false"`
}

// SaveOptions are the options that the user can configure.
//
//jp:options
type SaveOptions struct {
	// Replace files without asking.
	AlwaysReplace bool `json:"always_replace" default:"false"`
}

// Save writes text to a file and asks before it replaces an existing file.
//
//jp:tool name=save title="Save text" destructive=true idempotent=true openworld=false
//jp:fails conflict
func (*MyNotes) Save(ctx context.Context, in SaveInput, ask SaveQuestions, opt SaveOptions, call *tool.Call) (string, error) {
	files, err := call.Files() // limited to the root directory and to the access that the user grants
	if err != nil {
		return "", err
	}
	_, err = files.Stat(in.Path)
	if !errors.Is(err, fs.ErrNotExist) && !opt.AlwaysReplace {
		if _, err := files.Check(access.Update, in.Path); err != nil {
			return "", err // do not ask whether to replace a file that the tool cannot write
		}
		replace, err := ask.Replace.For(in.Path).Ask(ctx, "%s exists. Replace it?", in.Path)
		if err != nil {
			return "", err // declined or canceled, or the client cannot ask
		}
		if !replace {
			return "", fault.New(fault.Conflict, "%s exists and was not replaced; use another path", in.Path)
		}
	}
	if err := files.WriteFile(in.Path, []byte(in.Text), 0o644); err != nil {
		return "", err
	}
	return "Saved " + in.Path + ".", nil
}
