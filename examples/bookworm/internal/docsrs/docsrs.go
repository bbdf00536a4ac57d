// Package docsrs downloads the documentation for crates from docs.rs.
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

// ErrNotFound reports a version without documentation, or an unknown crate or version. docs.rs does not
// distinguish between these cases, and requires the exact name of the crate.
var ErrNotFound = errors.New("docs.rs has no documentation for that version")

// A LargerError reports an archive that is larger than the download limit.
type LargerError struct {
	// Size is the size in bytes, or 0 if it is unknown.
	Size int64
}

// Error mentions the size.
func (e *LargerError) Error() string {
	if e.Size == 0 {
		return "the archive is too large"
	}
	return fmt.Sprintf("the archive is too large: it has %d bytes", e.Size)
}

// MaxArchive is the maximum size of an archive in bytes, even if the user agrees to more.
const MaxArchive = 512 << 20

// A Client downloads archives. It is safe for concurrent use.
type Client struct {
	fetch   *fetch.Client
	base    *url.URL
	timeout time.Duration
}

// New returns a client for the docs.rs server at base. Each download is canceled after timeout, or after 10 minutes
// if timeout is 0.
func New(f *fetch.Client, base *url.URL, timeout time.Duration) *Client {
	if timeout <= 0 {
		timeout = 10 * time.Minute
	}
	return &Client{fetch: f, base: base, timeout: timeout}
}

// address returns the download URL of an archive, as documented at https://docs.rs/about/download.
func (c *Client) address(name, version string) string {
	return c.base.JoinPath("crate", url.PathEscape(name), url.PathEscape(version), "download").String()
}

// Size returns the size of an archive in bytes without downloading it, or -1 if the service does not announce
// it. It returns [ErrNotFound] if there is no archive.
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

// Options configures a download.
type Options struct {
	// Most is the maximum size in bytes; 0 means [MaxArchive]. A larger archive is rejected with a [LargerError],
	// before the download starts if the service announces the size.
	Most int64
	// Progress is called with the number of bytes downloaded and the total, which is 0 if unknown.
	Progress func(done, total int64)
}

// Download writes an archive to f, which it truncates first. After a lost connection, it resumes the download if
// the archive has not changed. It returns [ErrNotFound], [LargerError] and request errors.
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

// A download is the state of one download across several attempts.
type download struct {
	client  *Client
	address string
	file    *os.File
	options Options
	done    int64
	tag     string // strong ETag of the bytes in the file
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
		return io.ErrUnexpectedEOF // the download starts again
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

// begin positions the file where the body continues, and returns the final size of the file in bytes, or -1 if
// it is unknown.
func (d *download) begin(response *http.Response) (int64, error) {
	if response.StatusCode == http.StatusPartialContent {
		var from, to, total int64
		_, err := fmt.Sscanf(response.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &to, &total)
		if err != nil || from != d.done || to+1 != total || d.done == 0 {
			d.done, d.tag = 0, ""
			return 0, &fetch.RefusedError{Reason: "the response contains a different range of the archive than requested"}
		}
		return total, nil
	}
	if response.StatusCode != http.StatusOK {
		return 0, &fetch.RefusedError{Reason: fmt.Sprintf("unexpected status %d", response.StatusCode)}
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

// zipMagic starts every zip file that contains a file (APPNOTE.TXT, 4.3.7).
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
			return &fetch.RefusedError{Reason: "the response is not a zip file"}
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
