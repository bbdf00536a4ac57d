package snapshot

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The write-ahead log is a header of 32 bytes followed by frames: a frame header of 24 bytes and a page. Source:
// "WAL File Format" in SQLite's file format document.
const (
	walHeader   = 32
	frameHeader = 24
	walMagic    = 0x377f0682 // the lowest bit means big-endian checksums
	walVersion  = 3007000
)

// overlay locates the committed pages in a log.
type overlay struct {
	pageSize int64
	pages    int64            // number of pages after the last commit; 0 if the log has no commit
	at       map[uint32]int64 // offset in the log of the newest committed copy of a page
}

// readWAL reads the committed frames of a log of size bytes. It ignores a log with an invalid header, and all
// frames from the first invalid one on, as SQLite's own recovery does.
func readWAL(wal io.ReaderAt, size int64) (overlay, error) {
	r := bufio.NewReaderSize(io.NewSectionReader(wal, 0, size), 1<<16)
	head := make([]byte, walHeader)
	if _, err := io.ReadFull(r, head); err != nil {
		return overlay{}, ignoreEnd(err)
	}
	magic := binary.BigEndian.Uint32(head)
	if magic&^1 != walMagic || binary.BigEndian.Uint32(head[4:]) != walVersion {
		return overlay{}, nil
	}
	sum := checksum{order: binary.LittleEndian}
	if magic&1 == 1 {
		sum.order = binary.BigEndian
	}
	o := overlay{pageSize: int64(binary.BigEndian.Uint32(head[8:])), at: map[uint32]int64{}}
	sum.add(head[:24])
	if !validPageSize(o.pageSize) || !sum.matches(head[24:]) {
		return overlay{}, nil
	}
	salt := [8]byte(head[16:24])
	pending := map[uint32]int64{}
	frame := make([]byte, frameHeader+o.pageSize)
	for offset := int64(walHeader); ; offset += int64(len(frame)) {
		if _, err := io.ReadFull(r, frame); err != nil {
			return o, ignoreEnd(err)
		}
		page := binary.BigEndian.Uint32(frame)
		sum.add(frame[:8])
		sum.add(frame[frameHeader:])
		if page == 0 || [8]byte(frame[8:16]) != salt || !sum.matches(frame[16:]) {
			return o, nil
		}
		pending[page] = offset + frameHeader
		if pages := binary.BigEndian.Uint32(frame[4:]); pages != 0 {
			o.pages = int64(pages)
			for p, at := range pending {
				o.at[p] = at
			}
			clear(pending)
		}
	}
}

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return fmt.Errorf("read write-ahead log: %w", err)
}

func validPageSize(n int64) bool { return n >= 512 && n <= 65536 && n&(n-1) == 0 }

// checksum is the running checksum of a log: the checksum of each frame depends on all frames before it.
type checksum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

func (c *checksum) add(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		c.s0 += c.order.Uint32(b) + c.s1
		c.s1 += c.order.Uint32(b[4:]) + c.s0
	}
}

func (c *checksum) matches(b []byte) bool {
	return binary.BigEndian.Uint32(b) == c.s0 && binary.BigEndian.Uint32(b[4:]) == c.s1
}
