// Package templates holds the files that jptoolgen gives to users, unchanged or with some words replaced.
package templates

import "embed"

// Files holds the shell scripts in completion, the files of a new module in project, and the source of a new server and
// of a new tool, resource and prompt in server. The directory server is a package that this repository compiles and tests unchanged.
//
//go:embed completion project
//go:embed server/main.go server/save.go server/save_test.go
//go:embed server/new_tool.go server/new_tool_test.go server/new_resource.go server/new_resource_test.go
//go:embed server/new_prompt.go server/new_prompt_test.go
var Files embed.FS
