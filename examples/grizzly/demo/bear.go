package main

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	_ "modernc.org/sqlite" // registers the SQLite driver
)

// libraryVariable is the environment variable with the path of the library. It is set for the process that plays
// Bear.
const libraryVariable = "GRIZZLY_DEMO_LIBRARY"

// created is the id of the note that the demo creates.
const created = "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4AFF"

// playBear handles the URL of a new note as Bear does: it adds the note to the library.
func playBear(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	text := u.Query().Get("text")
	title, rest, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
	tags, _, _ := strings.Cut(rest, "\n")
	db, err := sql.Open("sqlite", os.Getenv(libraryVariable))
	if err != nil {
		return err
	}
	defer db.Close()
	epoch := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	_, err = db.Exec(`INSERT INTO ZSFNOTE (ZUNIQUEIDENTIFIER, ZTITLE, ZTEXT, ZCREATIONDATE, ZMODIFICATIONDATE, ZTRASHED, ZARCHIVED, ZENCRYPTED, ZPERMANENTLYDELETED)
		VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0)`,
		created, title, text, time.Since(epoch).Seconds(), time.Since(epoch).Seconds())
	if err != nil {
		return fmt.Errorf("add the note to the library: %w", err)
	}
	for _, tag := range strings.Fields(tags) {
		_, err := db.Exec(`INSERT INTO Z_5TAGS (Z_5NOTES, Z_13TAGS)
			SELECT n.Z_PK, t.Z_PK FROM ZSFNOTE n, ZSFNOTETAG t WHERE n.ZUNIQUEIDENTIFIER = ? AND t.ZTITLE = ?`,
			created, strings.TrimPrefix(tag, "#"))
		if err != nil {
			return fmt.Errorf("add the tag to the note: %w", err)
		}
	}
	return nil
}
