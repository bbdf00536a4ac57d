// Command my-notes is a server of tools for language models.
package main

import "github.com/jptool/jptool/sdk"

//go:generate go tool jptoolgen

// MyNotes stores texts in files.
//
//jp:server name=my-notes
type MyNotes struct{}

func main() {
	sdk.Main(NewServer(&MyNotes{}))
}
