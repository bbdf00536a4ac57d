package sdk

import (
	"fmt"
	"io"
	"os"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/jpbridge"
)

// maxInput is the longest standard input taken, in bytes, if no flag says so.
const maxInput = 16 << 20

// read returns the documents on standard input, of which it takes most bytes.
// Nobody writes JSON at a terminal who has not asked to by a dash, and a program
// that waits there for what will not come looks broken.
func (shot *oneshot) read(streams *Streams, most int) (jpbridge.Documents, error) {
	if isTerminal(streams.In) {
		if !shot.dash {
			return jpbridge.Documents{}, fault.New(fault.InvalidInput, `expected the call's JSON after the name of the tool, as in %s %s '{"arguments":{}}', or on standard input`, shot.word, shot.tool)
		}
		fmt.Fprintln(streams.Err, `reading {"tool":…,"context":…} from the terminal, up to the end of input`)
	}
	data, err := io.ReadAll(io.LimitReader(streams.In, int64(most)+1))
	switch {
	case err != nil:
		return jpbridge.Documents{}, fault.Wrap(err, fault.InvalidInput, "standard input cannot be read")
	case len(data) > most:
		return jpbridge.Documents{}, fault.New(fault.InvalidInput, "standard input holds more than %d bytes; --max-frame sets what is taken", most)
	}
	d, err := jpbridge.ReadDocuments(data)
	if err != nil {
		return d, fault.New(fault.InvalidInput, "standard input: %s", err)
	}
	return d, nil
}

// isTerminal reports whether somebody may be typing at the other end of r. The
// null device is a character device too, and always at its end.
func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
