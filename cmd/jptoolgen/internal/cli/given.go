package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// maxInput is the maximum size of the JSON object on standard input, or of one line with
// --each.
const maxInput = 16 << 20

// A toolInput holds the arguments of the tool from the command line.
type toolInput struct {
	words []shape.Assignment
	base  map[string]jsontext.Value
	stdin bool // standard input has data, so no person can answer questions there
}

// readGiven reads the words after the name of the tool. If the target is a URI with arguments,
// these arguments come first.
func readGiven(r *callRun, t *target.Target, rest []string) (toolInput, error) {
	g := toolInput{stdin: r.each}
	g.words = fromURI(t)
	for _, word := range rest {
		file, isFile := strings.CutPrefix(word, "@")
		if word != "-" && !isFile {
			a, err := shape.Assign(word, r.env.Dir)
			if err != nil {
				return g, err
			}
			g.words = append(g.words, a)
			continue
		}
		if g.base != nil {
			return g, errors.New("only one JSON object of arguments is allowed, either - or @FILE")
		}
		data, err := r.object(word, file)
		if err != nil {
			return g, err
		}
		g.stdin = g.stdin || word == "-"
		if g.base, err = shape.ReadObject(data); err != nil {
			return g, fmt.Errorf("invalid arguments: %w", err)
		}
	}
	return g, nil
}

// fromURI returns the arguments in the query of a URI, sorted by name.
func fromURI(t *target.Target) (list []shape.Assignment) {
	for _, name := range slices.Sorted(maps.Keys(t.Arguments)) {
		for _, value := range t.Arguments[name] {
			list = append(list, shape.Assignment{Name: name, Word: value})
		}
	}
	return list
}

func (r *callRun) object(word, file string) ([]byte, error) {
	if word != "-" {
		return shape.File(file, r.env.Dir)
	}
	if r.each {
		return nil, errors.New("- cannot be used with --each, which reads standard input")
	}
	data, err := io.ReadAll(io.LimitReader(r.env.Stdin, maxInput+1))
	if err == nil && len(data) > maxInput {
		err = errors.New("standard input is larger than 16 MiB")
	}
	return rawjson.NoMark(data), err
}

// answerFlags holds the flags that answer questions in advance.
type answerFlags struct {
	answers []string
	file    string
}

func (p *answerFlags) define(flags *pflag.FlagSet) {
	flags.StringArrayVar(&p.answers, "answer", nil, "answer a question: `ID=VALUE` or ID:=JSON; ID.FIELD=VALUE for a field of a form; to decline a question, type :decline at the terminal")
	flags.StringVar(&p.file, "answers", "", "read answers from `FILE`, a JSON object of question ids and answers")
}

// readAnswers reads the answers from the flags. --answer takes precedence over the file that --answers names.
func (p answerFlags) readAnswers(dir string) (map[string]shape.Assignment, error) {
	out := map[string]shape.Assignment{}
	if p.file != "" {
		data, err := shape.File(p.file, dir)
		if err != nil {
			return nil, fmt.Errorf("--answers: %w", err)
		}
		members, err := shape.ReadObject(data)
		if err != nil {
			return nil, fmt.Errorf("--answers %s: %w", p.file, err)
		}
		for id, value := range members {
			out[id] = shape.Assignment{Name: id, Word: string(value), JSON: true}
		}
	}
	typed := map[string]bool{}
	for _, word := range p.answers {
		a, err := shape.Assign(word, dir)
		if err != nil {
			return nil, fmt.Errorf("--answer: %w", err)
		}
		if typed[a.Name] {
			return nil, fmt.Errorf("--answer %s is set more than once; write a list as one answer: %[1]s:='[\"…\",\"…\"]'", a.Name)
		}
		typed[a.Name], out[a.Name] = true, a
	}
	return out, nil
}

// optionFlags holds the flags that set options of a call.
type optionFlags struct{ options []string }

func (p *optionFlags) define(flags *pflag.FlagSet, what string) {
	flags.StringArrayVar(&p.options, "option", nil, "set an option of the "+what+": `NAME=VALUE` or NAME:=JSON")
}

// read returns the options from the flags as an object. The contract of the tool, or of another entry as a tool,
// determines their types.
func (p *optionFlags) read(dir, server, kind string, t *manifest.Tool) (jsontext.Value, error) {
	if len(p.options) == 0 {
		return nil, nil
	}
	var list []shape.Assignment
	for _, word := range p.options {
		a, err := shape.Assign(word, dir)
		if err != nil {
			return nil, fmt.Errorf("--option: %w", err)
		}
		list = append(list, a)
	}
	if t.Options == nil {
		return nil, fmt.Errorf("--option: %s %.100q has no options", kind, t.Name)
	}
	schema := shape.Read(t.Options)
	for _, a := range list {
		if p, known := schema.Property(a.Name); known && p.Secret {
			return nil, fmt.Errorf("--option %s: a call cannot set a secret; set %s in the environment of the server",
				a.Name, t.Variable(server, a.Name))
		}
	}
	// An empty base skips the check for required options, because the server's environment may set them.
	return schema.Arguments("--option of "+terminal.Line(t.Name, 100), list, map[string]jsontext.Value{})
}

// lines makes one call per line of standard input. It stops at the first line that is not an
// object, because the program that wrote it is broken.
func (r *callRun) lines(ctx context.Context, call caller.Call, schema *shape.Schema, g toolInput) (code int, err error) {
	in := bufio.NewScanner(r.env.Stdin)
	in.Buffer(make([]byte, 0, 64<<10), maxInput)
	number, calls, failed := 0, 0, 0
	for in.Scan() {
		number++
		line := in.Bytes()
		if number == 1 {
			line = rawjson.NoMark(line)
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if calls == r.limit.most && calls > 0 {
			break
		}
		calls++
		out, err := r.line(ctx, call, schema, g, line)
		if err == nil {
			err = r.saveResult(out)
		}
		if err != nil {
			return exitError, fmt.Errorf("line %d of standard input: %w", number, err)
		}
		if out.IsError {
			failed++
			if code != exitFindings {
				code = out.Status()
			}
		}
		if err := r.printLine(out); err != nil {
			return exitError, err
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return exitError, fmt.Errorf("line %d of standard input is longer than 16 MiB", number+1)
	} else if err != nil {
		return exitError, fmt.Errorf("reading standard input: %w", err)
	}
	if failed > 0 {
		fmt.Fprintf(r.env.Stderr, "jptoolgen: %d of %d calls failed\n", failed, calls)
	}
	return code, nil
}

func (r *callRun) line(ctx context.Context, call caller.Call, schema *shape.Schema, g toolInput, line []byte) (*caller.Outcome, error) {
	base, err := shape.ReadObject(line)
	if err != nil {
		return nil, err
	}
	if call.Arguments, err = r.arguments(call.Tool, schema, g.words, base); err != nil {
		return nil, err
	}
	return r.one(ctx, call)
}

// A failure is the output for a failed call.
type failure struct {
	Code    string `json:"code,omitempty"` // "" if the wire format has no codes
	Message string `json:"message"`
}

// printLine prints a result as one line of JSON.
func (r *callRun) printLine(out *caller.Outcome) error {
	var v any = out.Structured
	switch {
	case r.format == "json":
		v = out.Raw
	case out.IsError:
		v = map[string]any{"error": failure{out.Code, out.Text}}
	case out.Structured == nil:
		v = map[string]any{"text": out.Text}
	}
	text, err := rawjson.Encode(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(r.env.Stdout, terminal.Escape(string(text)))
	return err
}
