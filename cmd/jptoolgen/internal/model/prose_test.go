package model

import "testing"

func TestProse(t *testing.T) {
	for _, tc := range []struct{ name, comment, want string }{
		{"Delete", "Delete deletes items for good.", "Deletes items for good."},
		{"WordCount", "WordCount counts words of a text.", "Counts words of a text."},
		{"Copy", "Copy copies files.", "Copies files."},
		{"Sure", "Sure asks before a file is deleted.", "Asks before a file is deleted."},
		{"UntilEnd", "UntilEnd holds the call.", "Holds the call."},
		{"Limit", "Limit is the most results.", "The most results."},
		{"Tags", "Tags are those of the note.", "Those of the note."},
		{"Host", "Host must be answered by a person.", "Must be answered by a person."},
		{"WontFix", "WontFix, as it is meant to be so.", "As it is meant to be so."},
		{"MaxDepth", "MaxDepth of the walk.", "Max depth of the walk."},
		{"SourceURL", "SourceURL of the page.", "Source URL of the page."},
		{"IDs", "IDs of the notes.", "IDs of the notes."},
		{"NoteIDs", "NoteIDs to read.", "Note IDs to read."},
		{"URLsSeen", "URLsSeen by the crawler.", "URLs seen by the crawler."},
		{"WasRead", "WasRead by the user.", "Was read by the user."},
		{"HTTPPort", "HTTPPort to listen on.", "HTTP port to listen on."},
		{"Backup", "Backup keeps the file before as .bak.", "Keeps the file before as .bak."},
		{"Total", "Total shows every hit.", "Shows every hit."},
		// A comment that does not follow the convention is kept.
		{"List", "List files in a directory.", "List files in a directory."},
		{"Limit", "Limit results to this many.", "Limit results to this many."},
		{"Title", "Title of the note.", "Title of the note."},
		{"Title", "Title, as people see it.", "Title, as people see it."},
		{"Name", "Name as on crates.io.", "Name as on crates.io."},
		{"Dinner", "Dinner is included.", "Dinner is included."},
		{"MaxDepth", "MaxDepth is inclusive.", "Max depth is inclusive."},
		{"Get", "Gets a note.", "Gets a note."},
		{"Text", "Text", "Text"},
		{"Text", "Text is", "Text is"},
		{"Text", "Text\n\nMore.", "Text\n\nMore."},
		{"Text", "The text.", "The text."},
		{"Text", "", ""},
		{"Ärger", "Ärger macht etwas.", "Ärger macht etwas."},
	} {
		if got := Prose(tc.name, tc.comment); got != tc.want {
			t.Errorf("Prose(%q, %q) = %q, want %q", tc.name, tc.comment, got, tc.want)
		}
	}
}
