package beartest

import (
	"fmt"
	"strings"
)

// Layout describes the tables in a version of Bear. The zero Layout describes the current
// version.
type Layout struct {
	NoteEntity int // Core Data's number for notes; zero means 5
	TagEntity  int // Core Data's number for tags; zero means 13

	WAL    bool // use a write-ahead log, as Bear does, instead of a rollback journal
	Old    bool // omit the columns for archiving, encryption and permanent deletion, and the counters
	NoKeys bool // omit the table of entity numbers
	NoTags bool // omit tags, and the table that links them to notes
	NoLink bool // omit the table that links tags to notes
	Stale  bool // add a table of an older version that sorts first: empty with NoKeys, otherwise with wrong links
}

func (l Layout) note() int { return or(l.NoteEntity, 5) }
func (l Layout) tag() int  { return or(l.TagEntity, 13) }

func or(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// link returns the SQL statement that inserts a link between a note and a tag.
func (l Layout) link() string {
	return fmt.Sprintf(`INSERT OR IGNORE INTO "Z_%[1]dTAGS" ("Z_%[1]dNOTES", "Z_%[2]dTAGS") VALUES (?, ?)`, l.note(), l.tag())
}

// pin returns the statement that inserts a pin.
func (l Layout) pin() string {
	return fmt.Sprintf(`INSERT OR IGNORE INTO "Z_%[1]dPINNEDINTAGS" ("Z_%[1]dPINNEDNOTES", "Z_%[2]dPINNEDINTAGS") VALUES (?, ?)`, l.note(), l.tag())
}

// statements returns the statements that create the tables.
func (l Layout) statements() []string {
	all := []string{l.notes()}
	if !l.NoKeys {
		all = append(all,
			`CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)`,
			fmt.Sprintf(`INSERT INTO Z_PRIMARYKEY VALUES (1, 'SFPasscode', 0, 0), (%d, 'SFNote', 0, 0), (%d, 'SFNoteTag', 0, 0)`, l.note(), l.tag()))
	}
	if l.NoTags {
		return all
	}
	all = append(all, `CREATE TABLE ZSFNOTETAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
		ZPINNED INTEGER, ZMODIFICATIONDATE TIMESTAMP, ZTITLE VARCHAR, ZUNIQUEIDENTIFIER VARCHAR)`)
	if l.NoLink {
		return all
	}
	all = append(all,
		fmt.Sprintf(`CREATE TABLE "Z_%[1]dTAGS" ("Z_%[1]dNOTES" INTEGER, "Z_%[2]dTAGS" INTEGER, PRIMARY KEY ("Z_%[1]dNOTES", "Z_%[2]dTAGS"))`, l.note(), l.tag()),
		fmt.Sprintf(`CREATE TABLE "Z_%[1]dPINNEDINTAGS" ("Z_%[1]dPINNEDNOTES" INTEGER, "Z_%[2]dPINNEDINTAGS" INTEGER, PRIMARY KEY ("Z_%[1]dPINNEDNOTES", "Z_%[2]dPINNEDINTAGS"))`, l.note(), l.tag()))
	if l.Stale {
		all = append(all, `CREATE TABLE "Z_2TAGS" ("Z_2NOTES" INTEGER, "Z_8TAGS" INTEGER)`)
		if !l.NoKeys {
			all = append(all, `INSERT INTO "Z_2TAGS" VALUES (1, 2), (2, 1), (3, 1)`)
		}
	}
	return all
}

func (l Layout) notes() string {
	columns := []string{"Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "ZTRASHED INTEGER"}
	if !l.Old {
		columns = append(columns, "Z_OPT INTEGER", "ZARCHIVED INTEGER", "ZENCRYPTED INTEGER", "ZPERMANENTLYDELETED INTEGER",
			"ZCREATIONDATE TIMESTAMP", "ZENCRYPTEDDATA BLOB")
	}
	columns = append(columns, "ZMODIFICATIONDATE TIMESTAMP", "ZTITLE VARCHAR", "ZTEXT VARCHAR", "ZUNIQUEIDENTIFIER VARCHAR")
	return "CREATE TABLE ZSFNOTE (" + strings.Join(columns, ", ") + ")"
}
