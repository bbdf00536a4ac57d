package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// docs/hello.svg is a picture of a call on a terminal. UPDATE_DOCS=1 draws it again.
func TestPictureOfACall(t *testing.T) {
	const path = "../../docs/hello.svg"
	const line = "jptoolgen call ./examples/hello greet"
	picture := draw("$ go tool " + line + "\n" + recordTerminal(t, line, "\x1b[0m > ", "Ada\n"))
	old, err := os.ReadFile(path)
	if err == nil && string(old) == picture {
		return
	}
	if os.Getenv("UPDATE_DOCS") == "" {
		t.Fatalf("%s is out of date (%v); run this test with UPDATE_DOCS=1. It should be\n%s", path, err, picture)
	}
	if err := os.WriteFile(path, []byte(picture), 0o666); err != nil {
		t.Fatal(err)
	}
}

// recordTerminal runs a command line in the root directory of the module on a new terminal. When the output ends
// with the prompt, it types the answer. It returns everything that the terminal shows.
func recordTerminal(t *testing.T, line, prompt, answer string) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	// Without a limit, a program that shows another prompt would wait for its answer for ever.
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	argv := words(line)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = "../..", tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "NO_COLOR=") }),
		append(environment(t, "GOCACHE", "GOMODCACHE"), "HOME="+t.TempDir(), "TERM=xterm")...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = tty.Close()
	var shown []byte
	typed := false
	for buffer := make([]byte, 4096); ; {
		n, err := master.Read(buffer)
		shown = append(shown, buffer[:n]...)
		if !typed && bytes.HasSuffix(shown, []byte(prompt)) {
			typed = true
			if _, err := io.WriteString(master, answer); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil { // the program has closed the terminal
			break
		}
	}
	if err := cmd.Wait(); err != nil || !typed {
		t.Fatalf("%s: %v, answered: %t\n%s", line, err, typed, shown)
	}
	return strings.ReplaceAll(string(shown), "\r\n", "\n")
}

// styles are the styles of the text after an escape sequence.
var styles = map[string]string{"0": "", "1": ` font-weight="bold"`, "2": ` fill="#8b949e"`}

var styled = regexp.MustCompile("(?:\x1b\\[([0-9]+)m)?([^\x1b\n]*)")

// draw returns an SVG image of a terminal with a text.
func draw(text string) string {
	const fontSize, lineHeight, margin = 14, 20, 16
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var body strings.Builder
	width := 0
	for i, line := range lines {
		columns := 0
		fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\">", margin, margin+i*lineHeight+fontSize)
		for _, part := range styled.FindAllStringSubmatch(line, -1) {
			if part[2] == "" {
				continue
			}
			columns += utf8.RuneCountInString(part[2])
			fmt.Fprintf(&body, "<tspan%s>", styles[part[1]])
			_ = xml.EscapeText(&body, []byte(part[2])) // a strings.Builder does not fail
			body.WriteString("</tspan>")
		}
		body.WriteString("</text>\n")
		width = max(width, columns)
	}
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"ui-monospace, Menlo, "+
		"Consolas, monospace\" font-size=\"%d\" fill=\"#e6edf3\" xml:space=\"preserve\">\n"+
		"<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#0d1117\"/>\n%s</svg>\n",
		2*margin+width*fontSize*62/100, 2*margin+len(lines)*lineHeight, fontSize, body.String())
}
