package host

import (
	"bufio"
	"errors"
	"io"
)

// maxLine bounds what one message of a server may take. JP has no bound, other clients have less.
const maxLine = 64 << 20

var errLineTooLong = errors.New("line longer than 64 MiB")

// readLine returns the next line that is not empty, without its end.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			if len(line) > maxLine {
				return nil, errLineTooLong
			}
			continue
		}
		// A last line without newline counts.
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			return nil, err
		}
		if line = trimEnd(line); len(line) > 0 {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func trimEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}
