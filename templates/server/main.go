// Command my-notes is an MCP server with tools for language models.
package main

import "github.com/jptool/jptool/sdk"

//go:generate go tool jptoolgen

// MyNotes stores text in files.
//
//jp:server name=my-notes list-budget=2000
type MyNotes struct{}

func main() {
	sdk.Main(NewServer(&MyNotes{}))
}
