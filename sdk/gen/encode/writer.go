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
	maxShown    = 60 // characters of the value in a message
)

// From encodes the struct *v. fields is the function for its type. The error is a *[fault.Error]
// with the code [fault.Internal]; it lists the first 20 problems with their paths, one per line.
func From[T any](v *T, fields func(*Object, *T)) (string, error) {
	return FromValue(v, Struct(fields))
}

// FromValue is like [From], but for values other than structs.
func FromValue[T any](v *T, f Func[T]) (string, error) {
	w := pool.Get().(*Writer)
	f(w, v)
	return w.close()
}

var pool = sync.Pool{New: func() any { return new(Writer) }}

func (w *Writer) close() (data string, err error) {
	if len(w.problems) > 0 {
		err = w.err()
	} else {
		data = string(w.buf)
	}
	if cap(w.buf) <= 1<<16 { // larger buffers are not reused
		*w = Writer{buf: w.buf[:0]}
		pool.Put(w)
	}
	return data, err
}

func (w *Writer) err() error {
	text := "the result cannot be encoded as JSON"
	var causes []error
	for _, p := range w.problems {
		text += "\n"
		if p.path != "" {
			text += strings.TrimPrefix(p.path, ".") + ": "
		}
		text += p.reason
		causes = append(causes, p.cause)
	}
	if w.more > 0 {
		text += "\nand " + strconv.Itoa(w.more) + " more"
	}
	return fault.Wrap(errors.Join(causes...), fault.Internal, "%s", text)
}

// refuse reports a problem with the current value. Callers add the path.
func (w *Writer) refuse(reason string, cause error) {
	if len(w.problems) == maxProblems {
		w.more++
	} else {
		w.problems = append(w.problems, problem{reason: reason, cause: cause})
	}
}

// prefixPaths prepends a step to the paths of the problems from index n on.
func (w *Writer) prefixPaths(n int, step string) {
	for i := n; i < len(w.problems); i++ {
		w.problems[i].path = step + w.problems[i].path
	}
}

// enter opens a list or object. It returns false at the maximum depth and always after that,
// because encoding cyclic values would otherwise take exponential time.
func (w *Writer) enter(bracket byte) bool {
	if w.depth == maxDepth && !w.tooDeep {
		w.refuseDepth()
	}
	if !w.tooDeep {
		w.depth++
		w.buf = append(w.buf, bracket)
	}
	return !w.tooDeep
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
