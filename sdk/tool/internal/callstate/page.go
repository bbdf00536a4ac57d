package callstate

// A Page gives the runtime access to a tool.Page with any type of item.
type Page struct {
	// Cuts returns the number of items, and a function that reduces the page to its first n items, sets its cursor, and
	// returns the note about the next page, or "" for the last page. The note names the argument for the cursor.
	Cuts func() (count int, first func(n int, argument string, seal func(position string) string) string, err error)
	// Text returns the text of the items, or false if they have no Text method.
	Text func() (string, bool)
}
