// The program my-notes serves tools to language models.
package main

import "github.com/jptool/jptool/sdk"

//go:generate go tool jptoolgen

// MyNotes keeps texts in files.
//
//jp:server name=my-notes
type MyNotes struct{}

func main() {
	sdk.Main(NewServer(&MyNotes{}))
}
