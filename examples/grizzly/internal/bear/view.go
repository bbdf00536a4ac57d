package bear

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	"modernc.org/sqlite/vfs"

	"github.com/jptool/jptool/examples/grizzly/internal/snapshot"
)

// A view reads the library during one call, over one connection and in one transaction.
type view struct {
	conn   *sql.Conn
	schema schema
	state  state // state of the files before the transaction began
}

// attempts is the maximum number of attempts to read a library at rest that keeps changing.
const attempts = 3

// read calls fn with a view of the library, and calls it again if fn may have seen an inconsistent state.
// Therefore, fn must set its results and not add to them. All errors are classified.
func (db *DB) read(ctx context.Context, fn func(*view) error) error {
	for range attempts {
		consistent, err := db.readOnce(ctx, fn)
		if consistent || ctx.Err() != nil {
			return classify(ctx, err)
		}
	}
	return ErrBusy
}

func (db *DB) readOnce(ctx context.Context, fn func(*view) error) (consistent bool, err error) {
	h, err := db.src.acquire()
	if err != nil {
		return true, err
	}
	defer db.src.release(h)
	before, err := db.src.look(h)
	if err != nil {
		return true, err
	}
	if !os.SameFile(h.info, before.main) {
		return false, nil // the file has been replaced since acquire
	}
	if before.present < len(before.header) {
		return true, ErrNotBear // SQLite treats an empty file as an empty database and deletes its log
	}
	if !before.isUnused() {
		return true, db.query(ctx, directDSN(before.real, db.opt.Wait), before, fn)
	}
	err = db.readAtRest(ctx, h, before, fn)
	after, lookErr := db.src.look(h)
	return lookErr == nil && after.equal(before) && after.isUnused(), err
}

// readAtRest calls fn with an image of the library, which includes its log.
func (db *DB) readAtRest(ctx context.Context, h *handle, st state, fn func(*view) error) (err error) {
	wal, size := (*os.File)(nil), int64(0)
	if st.wal != nil {
		if wal, err = os.Open(st.real + "-wal"); err != nil {
			return err
		}
		defer func() { _ = wal.Close() }()
		size = st.wal.Size()
	}
	image, err := openImage(h.file, st.main.Size(), wal, size)
	if err != nil {
		return err
	}
	name, fsys, err := vfs.New(image)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := fsys.Close(); err == nil {
			err = closeErr
		}
	}()
	return db.query(ctx, imageDSN(name, db.opt.Wait), st, fn)
}

func openImage(main *os.File, size int64, wal *os.File, walSize int64) (*snapshot.Image, error) {
	if wal == nil { // a nil *os.File in an interface is not nil
		return snapshot.Open(main, size, nil, 0)
	}
	return snapshot.Open(main, size, wal, walSize)
}

func (db *DB) query(ctx context.Context, dsn string, st state, fn func(*view) error) (err error) {
	connector, err := sqlite.NewConnector(dsn)
	if err != nil {
		return err
	}
	pool := sql.OpenDB(connector)
	defer func() {
		if closeErr := pool.Close(); err == nil {
			err = closeErr
		}
	}()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // closing the pool reports the errors that matter
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	v := &view{conn: conn, state: st}
	if v.schema, err = discover(ctx, conn); err != nil {
		return err
	}
	return fn(v)
}

// directDSN returns the data source name with which SQLite opens the file itself. With readonly_shm, SQLite
// does not write read marks to the index of the log.
func directDSN(path string, wait time.Duration) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // the path begins with a drive letter
	}
	u := url.URL{Scheme: "file", Path: path}
	return u.String() + "?mode=ro&readonly_shm=1&" + pragmas(wait)
}

func imageDSN(vfs string, wait time.Duration) string {
	return "file:" + snapshot.Name + "?mode=ro&vfs=" + vfs + "&" + pragmas(wait)
}

// pragmas returns the settings of a connection. Because of them, a hostile schema cannot run code, and SQLite does
// not write temporary files when it sorts.
func pragmas(wait time.Duration) string {
	return fmt.Sprintf("_busy_timeout=%d&_pragma=temp_store(memory)&_pragma=trusted_schema(0)"+
		"&_pragma=cell_size_check(1)&_query_only=1", wait.Milliseconds())
}
