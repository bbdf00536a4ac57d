package terminal

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// pseudo returns the two ends of a pseudo-terminal: the program's and the user's.
func pseudo(t *testing.T) (terminal, person *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = person.Close() })
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	return terminal, person
}

// readUntil returns the output of the terminal up to the given text.
func readUntil(t *testing.T, person *os.File, text string) string {
	t.Helper()
	var all bytes.Buffer
	buf := make([]byte, 512)
	for !bytes.Contains(all.Bytes(), []byte(text)) {
		n, err := person.Read(buf)
		if err != nil {
			t.Fatalf("%v after %q", err, all.String())
		}
		all.Write(buf[:n])
	}
	return all.String()
}

// A secret is not echoed, even if it is invalid, and the terminal echoes input again afterwards.
func TestSecretIsNotEchoed(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	terminal, person := pseudo(t)
	least := shape.Read([]byte(`{"type":"string","minLength":4,"writeOnly":true}`))
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 2)
	go func() {
		a := NewAsker(terminal, terminal)
		for _, s := range []shape.Schema{least, {Types: []string{"string"}}} {
			v, err := a.Value(t.Context(), "What?", s, true)
			answers <- answer{string(v), err}
		}
	}()
	shown := readUntil(t, person, "> ")
	for _, step := range []struct{ typed, until string }{{"abc\n", "> "}, {"hunter2\n", "What?"}} {
		if _, err := person.WriteString(step.typed); err != nil {
			t.Fatal(err)
		}
		shown += readUntil(t, person, step.until)
	}
	if got := <-answers; got.text != `"hunter2"` || got.err != nil {
		t.Errorf("answer %s, %v", got.text, got.err)
	}
	if want := "What?\r\n(not shown, at least 4 characters) > \r\nThe answer must be a string of at least 4 characters.\r\n" +
		"(not shown, at least 4 characters) > \r\n"; !bytes.HasPrefix([]byte(shown), []byte(want)) {
		t.Errorf("the terminal shows %q", shown)
	}
	if _, err := person.WriteString("visible\n"); err != nil {
		t.Fatal(err)
	}
	if shown = readUntil(t, person, "visible"); (<-answers).text != `"visible"` {
		t.Errorf("the terminal shows %q", shown)
	}
}
