package snapshot_test

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	_ "modernc.org/sqlite" // registers the SQLite driver
	"modernc.org/sqlite/vfs"

	"github.com/jptool/jptool/examples/grizzly/internal/snapshot"
)

// crashedFiles returns a database with this page size and its log, as a crash leaves them. The database contains the
// numbers 1 and 2. The log contains 3 to 5 with one commit each, and 6 without a commit.
func crashedFiles(t *testing.T, pageSize string) (main, wal []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	defer func() { _ = db.Close() }()
	for _, statement := range []string{
		"PRAGMA page_size = " + pageSize, "PRAGMA journal_mode = wal", "PRAGMA wal_autocheckpoint = 0", "PRAGMA cache_size = 1",
		"CREATE TABLE number (n, filler)",
		"INSERT INTO number VALUES (1, zeroblob(9000)), (2, zeroblob(9000))",
		"PRAGMA wal_checkpoint(TRUNCATE)",
		"INSERT INTO number VALUES (3, zeroblob(9000))",
		"INSERT INTO number VALUES (4, zeroblob(9000))",
		"INSERT INTO number VALUES (5, zeroblob(9000))",
		"BEGIN", "INSERT INTO number VALUES (6, zeroblob(9000))", "INSERT INTO number VALUES (6, zeroblob(9000))", "SELECT SUM(length(filler)) FROM number",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if main, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	if wal, err = os.ReadFile(path + "-wal"); err != nil {
		t.Fatal(err)
	}
	if got := int(main[16])<<8 | int(main[17]); strconv.Itoa(got) != pageSize && got != 1 {
		t.Fatalf("pages of %d bytes, want %s", got, pageSize)
	}
	return main, wal
}

// maxNumber opens an image with SQLite and returns the greatest number in it.
func maxNumber(t *testing.T, main, wal []byte) int {
	t.Helper()
	image, err := snapshot.Open(bytes.NewReader(main), int64(len(main)), bytes.NewReader(wal), int64(len(wal)))
	if err != nil {
		t.Fatal(err)
	}
	name, fsys, err := vfs.New(image)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+snapshot.Name+"?mode=ro&vfs="+name)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	var check string
	err = errors.Join(db.QueryRow("SELECT MAX(n) FROM number WHERE length(filler) = 9000").Scan(&n),
		db.QueryRow("PRAGMA integrity_check").Scan(&check), db.Close(), fsys.Close())
	if err != nil || check != "ok" {
		t.Fatalf("%v, check %s", err, check)
	}
	return n
}

func TestOpenRefuses(t *testing.T) {
	main, wal := crashedFiles(t, "4096")
	other, _ := crashedFiles(t, "1024")
	for name, c := range map[string]struct{ main, wal []byte }{
		"empty":             {nil, wal},
		"short":             {main[:99], wal},
		"no database":       {bytes.Repeat([]byte("x"), 4096), wal},
		"another page size": {other, wal},
	} {
		_, err := snapshot.Open(bytes.NewReader(c.main), int64(len(c.main)), bytes.NewReader(c.wal), int64(len(c.wal)))
		if !errors.Is(err, snapshot.ErrDamaged) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestCommittedPages(t *testing.T) {
	for _, pageSize := range []string{"512", "4096", "65536"} {
		t.Run(pageSize, func(t *testing.T) {
			main, wal := crashedFiles(t, pageSize)
			if n := maxNumber(t, main, wal); n != 5 {
				t.Errorf("greatest is %d, want 5", n)
			}
			if n := maxNumber(t, main, nil); n != 2 {
				t.Errorf("without the log the greatest is %d, want 2", n)
			}
		})
	}
}

// If a log is truncated anywhere or any byte of it is changed, the image contains the database as of one of the
// log's commits.
func TestDamagedLog(t *testing.T) {
	main, wal := crashedFiles(t, "4096")
	seen := map[int]bool{}
	for at := 0; at < len(wal); at += 1009 {
		cut := maxNumber(t, main, wal[:at])
		turned := bytes.Clone(wal)
		turned[at] ^= 1
		if n := maxNumber(t, main, turned); n != cut && n != cut+1 && n != 5 {
			t.Errorf("byte %d turned: greatest is %d; cut there: %d", at, n, cut)
		}
		seen[cut] = true
	}
	for n := 2; n <= 5; n++ {
		if !seen[n] {
			t.Errorf("no cut left %d as the greatest", n)
		}
	}
}

func TestUnknownLog(t *testing.T) {
	main, wal := crashedFiles(t, "4096")
	for name, change := range map[string]func([]byte){
		"other magic":   func(w []byte) { w[0] = 0 },
		"other version": func(w []byte) { binary.BigEndian.PutUint32(w[4:], 3007001) },
		"huge page":     func(w []byte) { binary.BigEndian.PutUint32(w[8:], 1<<30) },
		"odd page":      func(w []byte) { binary.BigEndian.PutUint32(w[8:], 1000) },
		"bad checksum":  func(w []byte) { w[31] ^= 1 },
	} {
		changed := bytes.Clone(wal)
		change(changed)
		if n := maxNumber(t, main, changed); n != 2 {
			t.Errorf("%s: greatest is %d, want 2", name, n)
		}
	}
}

func TestFileSystem(t *testing.T) {
	main, wal := crashedFiles(t, "4096")
	image, err := snapshot.Open(bytes.NewReader(main), int64(len(main)), bytes.NewReader(wal), int64(len(wal)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := image.Open(snapshot.Name + "-journal"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another name: got %v", err)
	}
	text, err := fs.ReadFile(image, snapshot.Name)
	if err != nil {
		t.Fatal(err)
	}
	if len(text)%4096 != 0 || text[18] != 1 || text[19] != 1 {
		t.Errorf("%d bytes, versions %d and %d", len(text), text[18], text[19])
	}
	// Reading the file in pieces gives the same bytes.
	var pieces []byte
	for off := int64(0); off < int64(len(text)); off += 777 {
		p := make([]byte, 777)
		n, _ := image.ReadAt(p, off) // the last piece is shorter
		pieces = append(pieces, p[:n]...)
	}
	if !bytes.Equal(pieces, text) {
		t.Error("read in pieces, the file is another")
	}
}
