// Package soak calls a server often enough to find leaks.
package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// Window is the number of calls in flight.
const Window = 64

// A Report is the resource usage of a server.
type Report struct {
	Calls   int
	Took    time.Duration
	Samples []Sample // one after each part of the calls; all parts have the same size
	// The numbers of goroutines after a tenth of the calls, and after all calls.
	GoroutinesBefore, GoroutinesAfter int
}

// Run makes all kinds of calls to the stress server: valid calls, wrong arguments, unknown tool names, calls
// that are canceled immediately, and lines that are not valid messages. The server must respond exactly
// once to every call that is not canceled.
func Run(ctx context.Context, command []string, era request.Era, calls, parts int) (Report, error) {
	s, err := drive.Start(command, nil, time.Hour)
	if err != nil {
		return Report{}, err
	}
	r := Report{Calls: calls}
	d := driver{Session: s, era: era, free: make(chan struct{}, Window)}
	if err := d.all(ctx, &r, parts); err != nil {
		_, ended := s.Close()
		return r, errors.Join(err, ended)
	}
	return r, ends(s.Close)
}

// ends closes a server, and returns an error if that takes too long.
func ends(closing func() (drive.Usage, error)) error {
	began := time.Now()
	_, err := closing()
	if took := time.Since(began); err == nil && took > 2*time.Second {
		err = fmt.Errorf("the server took %s to exit", took)
	}
	return err
}

type driver struct {
	*drive.Session
	era  request.Era
	free chan struct{}
}

// all makes the calls of a run, one part at a time.
func (d *driver) all(ctx context.Context, r *Report, parts int) error {
	if d.era == request.Sessions {
		if err := d.Open(); err != nil {
			return err
		}
	}
	return r.take(d.PID(), parts, d.goroutines, func(from, calls int) error { return d.part(ctx, from, calls) })
}

// take makes the calls of a run part by part, and samples the server after each part. The function part makes
// calls, the first of which has the number from.
func (r *Report) take(pid, parts int, goroutines func() (int, error), part func(from, calls int) error) error {
	began := time.Now()
	for i := range parts {
		calls := r.Calls / parts
		if err := part(i*calls, calls); err != nil {
			return fmt.Errorf("in the %d calls from %d: %w", calls, i*calls, err)
		}
		sample, err := sampleOf(pid)
		if err != nil {
			return err
		}
		r.Samples = append(r.Samples, sample)
		if i == parts/10 {
			if r.GoroutinesBefore, err = goroutines(); err != nil {
				return err
			}
		}
	}
	r.Took = time.Since(began)
	var err error
	r.GoroutinesAfter, err = goroutines()
	return err
}

// part sends calls, at most [Window] in flight, and reads responses until every call has a response.
func (d *driver) part(ctx context.Context, from, calls int) error {
	owed := make([]bool, calls)
	left := 0
	for i := range owed {
		if owed[i] = kindOf(from+i) != waits; owed[i] {
			left++
		}
	}
	sent := make(chan error, 1)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for i := range calls {
			if owed[i] {
				select {
				case d.free <- struct{}{}:
				case <-stop:
					return
				case <-ctx.Done():
					sent <- ctx.Err()
					return
				}
			}
			if err := d.Send(d.line(from + i)); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	for ; left > 0; left-- {
		line, err := d.Line()
		if err != nil {
			return err
		}
		if err := d.check(line, from, owed); err != nil {
			return err
		}
		<-d.free
	}
	return <-sent
}

// A kind distinguishes valid calls from the different invalid ones.
type kind int

const (
	quotes  kind = iota
	waits        // a call that is canceled immediately
	invalid      // wrong arguments
	unknown      // an unknown tool
	noise        // an invalid message, whose id is in the response
)

func kindOf(i int) kind {
	switch {
	case i%100 == 1:
		return waits
	case i%50 == 2:
		return invalid
	case i%100 == 3:
		return unknown
	case i%100 == 4:
		return noise
	}
	return quotes
}

// line returns the line for call number i.
func (d *driver) line(i int) string {
	_, line := message(d.era, i)
	if kindOf(i) == waits {
		line += "\n" + cancellation(i)
	}
	return line
}

// message returns call number i and the name of its tool.
func message(era request.Era, i int) (tool, line string) {
	tool, arguments := "quote", fmt.Sprintf(`{"text":"%d %s"}`, i, strings.Repeat("harbour lights ", i%40))
	switch kindOf(i) {
	case waits:
		tool, arguments = "wait", "{}"
	case invalid:
		arguments = `{"text":7,"colour":"red"}`
	case unknown:
		tool, arguments = "dance", "{}"
	case noise:
		return "", fmt.Sprintf(`{"jsonrpc":"1.0","id":%d,"method":"ping"}`, i)
	}
	return tool, call(era, i, tool, arguments)
}

func cancellation(i int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i)
}

func call(era request.Era, i int, tool, arguments string) string {
	meta := ""
	if era == request.Requests {
		meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`, i, tool, arguments, meta)
}

// check returns an error unless line is the first response to a call and is valid.
func (d *driver) check(line []byte, from int, owed []bool) error {
	var m answer
	if err := json.Unmarshal(line, &m); err != nil {
		return fmt.Errorf("invalid response: %.200s", line)
	}
	if i := m.ID - from; i < 0 || i >= len(owed) || !owed[i] {
		return fmt.Errorf("unexpected or duplicate response: %.200s", line)
	}
	owed[m.ID-from] = false
	if !m.answers(m.ID) {
		return fmt.Errorf("response to call %d: %.300s", m.ID, bytes.TrimSpace(line))
	}
	return nil
}

// An answer holds the parts of a message that the checks use.
type answer struct {
	ID     int
	Result *struct {
		IsError bool
		Content []struct{ Text string }
	}
	Error *struct{ Code int }
}

// answers reports whether the answer is valid for call number i.
func (m answer) answers(i int) bool {
	if m.ID != i {
		return false
	}
	failed := m.Result != nil && m.Result.IsError || m.Error != nil && m.Error.Code == -32602
	switch kindOf(i) {
	case quotes:
		return m.Result != nil && !m.Result.IsError && len(m.Result.Content) > 0 &&
			strings.HasPrefix(m.Result.Content[0].Text, fmt.Sprintf("%d ", i))
	case invalid, unknown:
		return failed
	case noise:
		return m.Error != nil && m.Error.Code == -32600
	}
	return true // the call was canceled
}

// goroutines asks the server for its number of goroutines.
func (d *driver) goroutines() (int, error) {
	line, err := d.Ask(call(d.era, -1, "usage", "{}"))
	if err != nil {
		return 0, err
	}
	return goroutinesIn(line)
}

// goroutinesIn reads the number of goroutines from a result of the usage tool.
func goroutinesIn(line []byte) (int, error) {
	var m struct {
		Result struct {
			Content []struct{ Text string }
		}
	}
	var usage struct{ Goroutines int }
	if json.Unmarshal(line, &m) != nil || len(m.Result.Content) == 0 || json.Unmarshal([]byte(m.Result.Content[0].Text), &usage) != nil {
		return 0, fmt.Errorf("invalid usage of the server: %.200s", line)
	}
	return usage.Goroutines, nil
}
