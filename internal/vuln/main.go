// Vuln runs govulncheck with a local copy of the vulnerability database.
//
// It downloads the database if the source has a newer version, and otherwise uses the copy from an earlier run.
// A copy that is older than 30 days is an error. If there is no copy and the source cannot be reached, the last
// line of the output says NOT CHECKED.
package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	// maxAge is the age at which a database is too old to be useful.
	maxAge = 30 * 24 * time.Hour
	// maxArchive limits the size of a downloaded database in bytes.
	maxArchive = 256 << 20
	// patience is the timeout for a download.
	patience = 2 * time.Minute
)

// errUnreachable means that the database could not be downloaded from its source.
var errUnreachable = errors.New("the vulnerability database cannot be downloaded")

// A checker runs govulncheck with the database of a source.
type checker struct {
	source string // URL of the database; a file:// URL is used in place
	dir    string // directory of the downloaded database
	now    time.Time
	log    io.Writer
	run    func(ctx context.Context, db string) error // runs govulncheck
}

func main() {
	var c checker
	flag.StringVar(&c.source, "db", "https://vuln.go.dev", "`URL` of the vulnerability database")
	flag.StringVar(&c.dir, "dir", "", "`directory` of the downloaded database (default: jptool/vulndb in the user's cache)")
	flag.Parse()
	c.now, c.log = time.Now(), os.Stderr
	c.run = func(ctx context.Context, db string) error {
		cmd := exec.CommandContext(ctx, "go", append([]string{"tool", "govulncheck", "-db", db}, flag.Args()...)...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return cmd.Run()
	}
	if err := c.check(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "vuln:", err)
		os.Exit(1)
	}
}

// check returns an error if it finds a vulnerability or if the database is too old. It returns nil if there is
// no database.
func (c checker) check(ctx context.Context) error {
	dir, err := c.database(ctx)
	if errors.Is(err, errUnreachable) {
		fmt.Fprintf(c.log, "NOT CHECKED: %v\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	modified, err := modifiedIn(dir)
	if err != nil {
		return err
	}
	if c.now.Sub(modified) > maxAge {
		return fmt.Errorf("the vulnerability database in %q is from %s, more than 30 days old; run make vuln with access to %s",
			dir, modified.Format(time.DateOnly), c.source)
	}
	fmt.Fprintf(c.log, "vulnerability database from %s in %s\n", modified.Format(time.DateOnly), dir)
	return c.run(ctx, (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String())
}

// database returns the directory of the newest available database.
func (c checker) database(ctx context.Context) (string, error) {
	if path, ok := strings.CutPrefix(c.source, "file://"); ok {
		return filepath.FromSlash(path), nil
	}
	dir := c.dir
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no directory for the vulnerability database: %w; set one with -dir", err)
		}
		dir = filepath.Join(cache, "jptool", "vulndb")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	kept, keptErr := modifiedIn(dir)
	index, err := get(ctx, c.source+"/index/db.json")
	if err == nil {
		var newest time.Time
		if newest, err = modifiedOf(index); err == nil && (keptErr != nil || newest.After(kept)) {
			err = c.download(ctx, dir)
		}
	}
	switch {
	case err != nil && keptErr != nil:
		return "", fmt.Errorf("%w: %w", errUnreachable, err)
	case err != nil:
		fmt.Fprintf(c.log, "%v; using the copy from an earlier run: %v\n", errUnreachable, err)
	}
	return dir, nil
}

// download replaces the database in dir once the new one is complete.
func (c checker) download(ctx context.Context, dir string) error {
	archive, err := get(ctx, c.source+"/vulndb.zip")
	if err != nil {
		return err
	}
	files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(parent, "vulndb-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := os.CopyFS(fresh, files); err != nil {
		return err
	}
	if _, err := modifiedIn(fresh); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(fresh, dir)
}

// modifiedIn returns the time at which the database in a directory was last modified.
func modifiedIn(dir string) (time.Time, error) {
	index, err := os.ReadFile(filepath.Join(dir, "index", "db.json"))
	if err != nil {
		return time.Time{}, err
	}
	return modifiedOf(index)
}

// modifiedOf returns the date in the index/db.json of a database.
func modifiedOf(index []byte) (time.Time, error) {
	var db struct {
		Modified time.Time `json:"modified"`
	}
	if err := json.Unmarshal(index, &db); err != nil {
		return time.Time{}, fmt.Errorf("index/db.json of the vulnerability database: %w", err)
	}
	return db.Modified, nil
}

// get returns the body of the response for a URL.
func get(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", address, response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxArchive+1))
	if err == nil && len(body) > maxArchive {
		err = fmt.Errorf("%s has more than %d bytes", address, maxArchive)
	}
	return body, err
}
