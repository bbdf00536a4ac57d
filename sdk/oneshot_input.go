package sdk

import (
	"fmt"
	"io"

	"github.com/jptool/jptool/internal/tty"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/jpbridge"
)

// maxInput is the maximum size of standard input in bytes without --max-frame.
const maxInput = 16 << 20

// read returns the documents on standard input, at most most bytes. It refuses a terminal
// unless "-" was given, because a program that silently waits for input looks broken.
func (shot *oneshot) read(streams *Streams, most int) (jpbridge.Documents, error) {
	if tty.Is(streams.In) {
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
		return jpbridge.Documents{}, fault.New(fault.InvalidInput, "standard input is longer than %d bytes; increase --max-frame", most)
	}
	d, err := jpbridge.ReadDocuments(data)
	if err != nil {
		return d, fault.New(fault.InvalidInput, "standard input: %s", err)
	}
	return d, nil
}
