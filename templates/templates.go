// Package templates is the text of a new server's files that are not Go.
//
// The names are those of a [text/template]; Go source is written by package scaffold.
package templates

import "embed"

// Files holds README.md, ci.yml and gitignore, the templates.
//
//go:embed files/README.md files/ci.yml files/gitignore
var Files embed.FS
