package encode

import (
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/jptool/jptool/sdk/fault"
)

// A Writer collects the JSON of a result.
type Writer struct {
	buf      []byte
	depth    int
	tooDeep  bool
	problems []problem
	more     int // problems beyond those stored
}

// A Func encodes *v as one JSON value. The Funcs of this package can be combined. Generic
// Funcs need no type arguments where they are passed to [Field].
type Func[T any] func(w *Writer, v *T)

type problem struct {
	path, reason string
	cause        error
}

const (
	maxDepth    = 100
	maxProblems = 20
	maxShown    = 60
)

// From encodes the struct *v. fields is the function for its type. The error is a
// *[fault.Error] with the code [fault.Internal]; its message has the path and reason of the
// first 20 problems, one per line.
func From[T any](v *T, fields func(*Object, *T)) (string, error) {
	return FromValue(v, Struct(fields))
}

// FromValue is like [From], but for values other than structs.
func FromValue[T any](v *T, f Func[T]) (string, error) {
	w := pool.Get().(*Writer)
	f(w, v)
	return w.close()
}

// pool reuses writers whose buffers are at most keep bytes.
var pool = sync.Pool{New: func() any { return new(Writer) }}

const keep = 1 << 16

func (w *Writer) close() (string, error) {
	var data string
	err := w.err()
	if err == nil {
		data = string(w.buf)
	}
	if cap(w.buf) <= keep {
		*w = Writer{buf: w.buf[:0]}
		pool.Put(w)
	}
	return data, err
}

func (w *Writer) err() error {
	if len(w.problems) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("the result cannot be encoded as JSON")
	causes := make([]error, 0, len(w.problems))
	for _, p := range w.problems {
		b.WriteByte('\n')
		if p.path != "" {
			b.WriteString(strings.TrimPrefix(p.path, ".") + ": ")
		}
		b.WriteString(p.reason)
		causes = append(causes, p.cause)
	}
	if w.more > 0 {
		b.WriteString("\nand " + strconv.Itoa(w.more) + " more")
	}
	return fault.Wrap(errors.Join(causes...), fault.Internal, "%s", b.String())
}

// refuse reports a problem with the current value. Callers add the path.
func (w *Writer) refuse(reason string, cause error) {
	if len(w.problems) == maxProblems {
		w.more++
		return
	}
	w.problems = append(w.problems, problem{reason: reason, cause: cause})
}

// within prepends a step to the paths of the problems from index n on.
func (w *Writer) within(n int, step string) {
	for i := range w.problems[n:] {
		w.problems[n+i].path = step + w.problems[n+i].path
	}
}

// enter opens a list, object or map. It returns false at the maximum depth, and always after that,
// because encoding cyclic values would otherwise take exponential time.
func (w *Writer) enter(bracket byte) bool {
	if w.tooDeep {
		return false
	}
	if w.depth == maxDepth {
		w.refuseDepth()
		return false
	}
	w.depth++
	w.buf = append(w.buf, bracket)
	return true
}

func (w *Writer) refuseDepth() {
	w.tooDeep = true
	w.refuse("more than "+strconv.Itoa(maxDepth)+" levels of lists and objects", nil)
}

func (w *Writer) leave(bracket byte) {
	w.depth--
	w.buf = append(w.buf, bracket)
}

// comma appends a comma unless an object or list has just been opened.
func (w *Writer) comma() {
	if last := w.buf[len(w.buf)-1]; last != '{' && last != '[' {
		w.buf = append(w.buf, ',')
	}
}
