// Command scan is the baseline for a cold call to grizzly: a process that searches all notes with LIKE and prints
// the number of matches. With -notes, it creates a library instead.
package main

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	_ "modernc.org/sqlite"
)

func main() {
	notes := flag.Int("notes", 0, "create a library with this `number` of notes")
	flag.Parse()
	err := errors.New("usage: scan [-notes N] FILE")
	if flag.NArg() == 1 {
		err = run(flag.Arg(0), *notes)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(path string, notes int) error {
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		return err
	}
	if notes > 0 {
		return errors.Join(write(db, notes), db.Close())
	}
	var found int
	err = db.QueryRow(`SELECT COUNT(*) FROM ZSFNOTE WHERE ZTRASHED = 0 AND (ZTITLE LIKE '%xylophone%' OR ZTEXT LIKE '%xylophone%')`).Scan(&found)
	fmt.Println(found)
	return errors.Join(err, db.Close())
}

// write creates notes of about 900 bytes. One in a hundred contains the word xylophone.
func write(db *sql.DB, notes int) error {
	if _, err := db.Exec(`CREATE TABLE ZSFNOTE (Z_PK INTEGER PRIMARY KEY, ZUNIQUEIDENTIFIER VARCHAR, ZTITLE VARCHAR, ZTEXT VARCHAR,
		ZMODIFICATIONDATE TIMESTAMP, ZTRASHED INTEGER)`); err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the and of to in water light river garden kitchen bread stone paper window table summer morning market letter colour island café über")
	for i := range notes {
		var text strings.Builder
		for text.Len() < 900 {
			text.WriteString(words[random.IntN(len(words))] + words[random.IntN(len(words))][:2] + [...]string{" ", " ", ".\n"}[random.IntN(3)])
		}
		if i%100 == 50 {
			text.WriteString("xylophone")
		}
		if _, err := tx.Exec(`INSERT INTO ZSFNOTE VALUES (?, ?, ?, ?, ?, 0)`, i+1, fmt.Sprintf("N%d", i), fmt.Sprintf("Note %d", i), text.String(), i); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}
