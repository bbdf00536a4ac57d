package main

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"database/sql"

	_ "modernc.org/sqlite" // the driver of database/sql
)

// libraryVariable names the environment variable that tells Bear's part where the
// library is.
const libraryVariable = "GRIZZLY_DEMO_LIBRARY"

// playBear does with the address of a new note what Bear does: it puts the note
// into the library.
func playBear(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	text := u.Query().Get("text")
	title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
	db, err := sql.Open("sqlite", os.Getenv(libraryVariable))
	if err != nil {
		return err
	}
	defer db.Close()
	epoch := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	_, err = db.Exec(`INSERT INTO ZSFNOTE (ZUNIQUEIDENTIFIER, ZTITLE, ZTEXT, ZCREATIONDATE, ZMODIFICATIONDATE, ZTRASHED, ZARCHIVED, ZENCRYPTED, ZPERMANENTLYDELETED)
		VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0)`,
		"8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4AFF", title, text, time.Since(epoch).Seconds(), time.Since(epoch).Seconds())
	if err != nil {
		return fmt.Errorf("putting the note into the library: %w", err)
	}
	return nil
}
