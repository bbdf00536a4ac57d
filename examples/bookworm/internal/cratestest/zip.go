package cratestest

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jptool/jptool/examples/bookworm/sample"
)

// Sample returns the sample crate with the given versions, which differ only in their number.
func Sample(versions ...string) Crate {
	c := Crate{Name: sample.Name, Description: "Brew tea by the clock", Keywords: []string{"tea", "timer"}, Categories: []string{"Date and time"}}
	for _, num := range versions {
		c.Versions = append(c.Versions, Version{Num: num, Docs: sample.Docs, Readme: sample.Readme})
	}
	return c
}

// Zip returns a zip file with the given files, which are keyed by name.
func Zip(files map[string]string) []byte {
	return pack(func(w *zip.Writer) {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			add(w, &zip.FileHeader{Name: name, Method: zip.Deflate}, strings.NewReader(files[name]))
		}
	})
}

// Padded returns the archive of the sample crate with about n bytes of incompressible data added.
func Padded(n int) []byte {
	return with(func(w *zip.Writer) {
		noise := make([]byte, n)
		state := uint32(1)
		for i := range noise {
			state = state*1664525 + 1013904223 // constants from Numerical Recipes; the data is the same in every run
			noise[i] = byte(state >> 24)
		}
		add(w, &zip.FileHeader{Name: "tea_time/noise.bin", Method: zip.Store}, bytes.NewReader(noise))
	})
}

// Hostile returns malicious archives. The key describes the attack.
func Hostile() map[string][]byte {
	page := "<html><body><section id=main-content></section></body></html>"
	entry := func(name string, mode uint32, content string) []byte {
		return with(func(w *zip.Writer) {
			h := &zip.FileHeader{Name: name, Method: zip.Deflate}
			if mode != 0 {
				h.CreatorVersion, h.ExternalAttrs = 3<<8, mode<<16 // Unix mode
			}
			add(w, h, strings.NewReader(content))
		})
	}
	const link, device, setuid = 0o120777, 0o020666, 0
	return map[string][]byte{
		"slip":             entry("../../escaped.html", setuid, page),
		"slip deep":        entry("tea_time/../../../escaped.html", 0, page),
		"absolute":         entry("/tmp/bookworm-escaped.html", 0, page),
		"backslash":        entry(`..\..\escaped.html`, 0, page),
		"drive":            entry(`C:\escaped.html`, 0, page),
		"NUL":              entry("tea_time/a\x00b.html", 0, page),
		"empty segment":    entry("tea_time//a.html", 0, page),
		"dot":              entry("./tea_time/a.html", 0, page),
		"link":             entry("tea_time/link.html", link, "/etc/passwd"),
		"device":           entry("tea_time/device", device, ""),
		"file and folder":  entry("tea_time", 0, page),
		"folder and file":  entry("tea_time/water/index.html/x", 0, page),
		"twice":            entry("tea_time/index.html", 0, page),
		"bomb":             zipBomb(17<<20, 1),
		"bomb of many":     zipBomb(15<<20, 2),
		"large file":       zipBomb(65<<20, 1),
		"many files":       repeatedArchive(200_001),
		"unknown method":   method(sample.Docs, 99),
		"broken file":      checksum(sample.Docs, "tea_time/index.html"),
		"no end":           sample.Docs[:len(sample.Docs)-100],
		"no documentation": Zip(map[string]string{"readme.txt": "nothing here"}),
		"wrong size":       zipBomb(10, 1),
	}
}

// with returns the archive of the sample crate with additional content.
func with(more func(*zip.Writer)) []byte {
	return pack(func(w *zip.Writer) {
		old, err := zip.NewReader(bytes.NewReader(sample.Docs), int64(len(sample.Docs)))
		if err != nil {
			panic(err) // cannot happen: the archive is embedded in this program
		}
		for _, f := range old.File {
			if err := w.Copy(f); err != nil {
				panic(err)
			}
		}
		more(w)
	})
}

func pack(fill func(*zip.Writer)) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	fill(w)
	if err := w.Close(); err != nil {
		panic(err) // cannot happen: w writes to a buffer
	}
	return b.Bytes()
}

func add(w *zip.Writer, h *zip.FileHeader, content io.Reader) {
	f, err := w.CreateHeader(h)
	if err == nil {
		_, err = io.Copy(f, content)
	}
	if err != nil {
		panic(err)
	}
}

// method replaces the compression method of the first file in an archive.
func method(data []byte, number byte) []byte {
	data = bytes.Clone(data)
	data[bytes.Index(data, []byte("PK\x01\x02"))+10] = number
	return data
}

// checksum replaces the checksum of a file in an archive.
func checksum(data []byte, name string) []byte {
	data = bytes.Clone(data)
	const header, sum = 46, 16 // offsets of the name and of the checksum in a directory entry
	data[bytes.LastIndex(data, []byte(name))-header+sum] ^= 0xff
	return data
}

// repeatedArchive returns an archive whose central directory lists the only file n times.
func repeatedArchive(n int) []byte {
	data := Zip(map[string]string{"tea_time/index.html": "x"})
	list, end := bytes.Index(data, []byte("PK\x01\x02")), bytes.Index(data, []byte("PK\x05\x06"))
	names := bytes.Repeat(data[list:end], n)
	tail := bytes.Clone(data[end:])
	binary.LittleEndian.PutUint16(tail[8:], uint16(n))
	binary.LittleEndian.PutUint16(tail[10:], uint16(n))
	binary.LittleEndian.PutUint32(tail[12:], uint32(len(names)))
	return slices.Concat(data[:list], names, tail)
}

// zipBomb returns an archive of n files with 1000 bytes each. The header of each file declares a size
// of says bytes.
func zipBomb(says uint32, n int) []byte {
	files := map[string]string{"tea_time/index.html": strings.Repeat("x", 1000)}
	for i := 1; i < n; i++ {
		files[fmt.Sprintf("tea_time/%d.html", i)] = files["tea_time/index.html"]
	}
	data := Zip(files)
	for rest := data; ; {
		at := bytes.Index(rest, []byte("PK\x01\x02"))
		if at < 0 {
			return data
		}
		binary.LittleEndian.PutUint32(rest[at+24:], says)
		rest = rest[at+4:]
	}
}
