// Package docsrs downloads the documentation of crates from docs.rs.
package docsrs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/fetch"
)

// ErrNotFound is a version without documentation, or none at all: docs.rs does not
// tell them apart, and knows a crate by its exact name alone.
var ErrNotFound = errors.New("docs.rs has no documentation of that version")

// A LargerError is an archive of more bytes than were to be downloaded.
type LargerError struct {
	// Size is how many bytes it has, 0 for an archive that does not say.
	Size int64
}

// Error says how large it is.
func (e *LargerError) Error() string {
	if e.Size == 0 {
		return "the archive is larger than that"
	}
	return fmt.Sprintf("the archive has %d bytes", e.Size)
}

// MaxArchive is how many bytes an archive may have, whoever agrees to it.
const MaxArchive = 512 << 20

// A Client downloads archives. It is safe for use by several goroutines.
type Client struct {
	fetch   *fetch.Client
	base    *url.URL
	timeout time.Duration
}

// New returns a client of the service at base. A download may take as long as
// timeout, 10 minutes if that is 0.
func New(f *fetch.Client, base *url.URL, timeout time.Duration) *Client {
	if timeout <= 0 {
		timeout = 10 * time.Minute
	}
	return &Client{fetch: f, base: base, timeout: timeout}
}

// address returns that of an archive (docs.rs, About, Download).
func (c *Client) address(name, version string) string {
	return c.base.JoinPath("crate", url.PathEscape(name), url.PathEscape(version), "download").String()
}

// Size returns how many bytes an archive has, without downloading it, and -1 if the
// service does not say. A version without one is [ErrNotFound].
func (c *Client) Size(ctx context.Context, name, version string) (int64, error) {
	head, err := c.fetch.Head(ctx, c.address(name, version))
	switch {
	case fetch.IsStatus(err, http.StatusNotFound):
		return 0, ErrNotFound
	case fetch.IsStatus(err, http.StatusMethodNotAllowed), fetch.IsStatus(err, http.StatusNotImplemented):
		return -1, nil
	case err != nil:
		return 0, err
	}
	return head.ContentLength, nil
}

// Options of a download.
type Options struct {
	// Most is how many bytes are downloaded without being asked for by name; 0 is
	// [MaxArchive]. More is a [LargerError], found out before the first byte if the
	// service tells the size.
	Most int64
	// Progress is told how many of how many bytes are there, the latter 0 if unknown.
	Progress func(done, total int64)
}

// Download writes an archive into f, which it truncates. A connection that is lost
// is made again, to go on where it ended if the archive is still the same. Beside
// the errors of requests there are [ErrNotFound] and [LargerError].
func (c *Client) Download(ctx context.Context, name, version string, f *os.File, o Options) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	if o.Most <= 0 || o.Most > MaxArchive {
		o.Most = MaxArchive
	}
	if o.Progress == nil {
		o.Progress = func(_, _ int64) {}
	}
	d := &download{client: c, address: c.address(name, version), file: f, options: o}
	err := c.fetch.Try(ctx, func() error { return d.run(ctx) })
	if fetch.IsStatus(err, http.StatusNotFound) {
		return ErrNotFound
	}
	return err
}

// A download is one archive on its way, through several tries.
type download struct {
	client  *Client
	address string
	file    *os.File
	options Options
	done    int64
	tag     string // the strong ETag of the bytes that are there
}

func (d *download) run(ctx context.Context) error {
	header := http.Header{"Accept-Encoding": {"identity"}}
	if d.done > 0 && d.tag != "" {
		header.Set("Range", fmt.Sprintf("bytes=%d-", d.done))
		header.Set("If-Range", d.tag)
	}
	response, err := d.client.fetch.Stream(ctx, d.address, header)
	if fetch.IsStatus(err, http.StatusRequestedRangeNotSatisfiable) {
		d.done, d.tag = 0, ""
		return io.ErrUnexpectedEOF // try again from the start
	}
	if err != nil {
		return err
	}
	defer response.Body.Close()
	total, err := d.begin(response)
	if err != nil {
		return err
	}
	if total > d.options.Most {
		return &LargerError{Size: total}
	}
	if err := d.copy(response.Body, max(total, 0)); err != nil {
		return err
	}
	if total >= 0 && d.done != total {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// begin puts the file to where the body goes on, and returns how many bytes it will
// have in the end, -1 if that is unknown.
func (d *download) begin(response *http.Response) (int64, error) {
	if response.StatusCode == http.StatusPartialContent {
		var from, to, total int64
		_, err := fmt.Sscanf(response.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &to, &total)
		if err != nil || from != d.done || to+1 != total || d.done == 0 {
			d.done, d.tag = 0, ""
			return 0, &fetch.RefusedError{Reason: "a part of the archive that was not asked for"}
		}
		return total, nil
	}
	if response.StatusCode != http.StatusOK {
		return 0, &fetch.RefusedError{Reason: fmt.Sprintf("an answer of status %d to a plain request", response.StatusCode)}
	}
	d.done, d.tag = 0, ""
	if tag := response.Header.Get("ETag"); len(tag) > 2 && len(tag) < 256 && tag[0] == '"' {
		d.tag = tag
	}
	if err := d.file.Truncate(0); err != nil {
		return 0, err
	}
	_, err := d.file.Seek(0, io.SeekStart)
	return response.ContentLength, err
}

// zipMagic begins every zip file that holds a file (APPNOTE.TXT, 4.3.7).
const zipMagic = "PK\x03\x04"

// copy appends the body to the file.
func (d *download) copy(body io.Reader, total int64) error {
	r := bufio.NewReaderSize(body, 64<<10)
	if d.done == 0 {
		magic, err := r.Peek(len(zipMagic))
		if err != nil && err != io.EOF {
			return err
		}
		if string(magic) != zipMagic {
			return &fetch.RefusedError{Reason: "an answer that is no zip file"}
		}
	}
	buffer := make([]byte, 64<<10)
	for {
		n, err := r.Read(buffer)
		if d.done+int64(n) > d.options.Most {
			return &LargerError{}
		}
		if _, err := d.file.Write(buffer[:n]); err != nil {
			return err
		}
		d.done += int64(n)
		d.options.Progress(d.done, total)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
