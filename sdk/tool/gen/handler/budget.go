package handler

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool/internal/fit"
)

const (
	noticeRoom   = 400                             // the maximum size of the truncation notice
	envelopeRoom = len(`{"success":true,"data":}`) // a server may add it to structured content
	warningShare = 4                               // warnings may use 1/warningShare of the budget
)

// budget returns the maximum size of a result; 0 means no limit. Text and structured content are
// limited separately, because a client shows a model only one of them.
func (c *Run) budget() int {
	if c.Contract == nil {
		return 0
	}
	return max(c.Contract.Budget, 0)
}

// room returns the maximum size of the blocks of a result.
func (c *Run) room(r Result) int {
	room := c.budget() - warningSize(r.Warnings)
	if r.page != nil && r.page.note != "" {
		room -= len("\n\n") + len(r.page.note)
	}
	return room
}

func (c *Run) holds(r Result) bool {
	limit := c.budget()
	return limit == 0 || blocksSize(r.Blocks) <= c.room(r) && len(r.Structured) <= limit-envelopeRoom
}

// fit completes a result. It truncates a result that is over the budget.
// It returns an error if what is left does not match the published schema.
func (c *Run) fit(r Result) (Result, error) {
	r.Warnings = c.warnings(r.Warnings)
	var err error
	var fits bool
	if r.page == nil {
		r = c.choose(r)
		fits = c.holds(r)
	} else if r, fits, err = c.renderPage(r.page, r.Warnings); err != nil {
		return Result{}, err
	}
	if !fits {
		size := max(blocksSize(r.Blocks), len(r.Structured))
		if r.whole == nil {
			c.over = size
			c.state.ServerLog().Warn("result truncated to the tool's budget", "bytes", size, "budget", c.budget())
		}
		if r, fits = c.cut(r); !fits || c.of.matches != nil && c.of.matches(r.Structured) != nil {
			return Result{}, c.refuse(size)
		}
	}
	if r.page != nil && r.page.note != "" {
		r.Blocks = append(slices.Clip(r.Blocks), content.Text{Text: r.page.note})
	}
	return Result{Result: r.Result, Messages: r.Messages, completions: r.completions}, nil
}

func (c *Run) refuse(size int) error {
	return fault.New(fault.Internal, "the result has %d bytes, more than the budget of %d bytes, and cannot be truncated; ask for a smaller result", size, c.budget())
}

// cut truncates a result. It returns false if parts cannot be truncated, such as long URIs.
func (c *Run) cut(r Result) (_ Result, ok bool) {
	var left []fit.Cut
	room := c.room(r) - noticeRoom
	if r.whole != nil {
		room -= 2 * blockSize(*r.whole) // its URI is also in the notice
	}
	if r.Structured != "" {
		limit := c.budget() - envelopeRoom
		if r.derive != nil {
			limit = min(limit, room-min(blocksSize(r.Blocks[1:]), room/2))
		}
		if r.Structured, left, ok = fit.JSON(r.Structured, c.output(r.Structured), limit); !ok {
			return r, false
		}
		r = r.deriveFirst()
	}
	if blocksSize(r.Blocks) > room {
		var cut fit.Cut
		r.Blocks, cut = cutBlocks(r.Blocks, room)
		left = append(left, cut)
	}
	r.Blocks = slices.Clip(r.Blocks)
	if r.whole != nil {
		r.Blocks = append(r.Blocks, *r.whole)
	}
	r.Blocks = append(r.Blocks, content.Text{Text: c.notice(left, r.whole)})
	return r, c.holds(r)
}

// output returns the schema of structured content, without an envelope.
func (c *Run) output(structured string) jsontext.Value {
	s := c.Contract.Output
	properties := rawjson.Get(s, "properties")
	if data := rawjson.Get(properties, "data"); data != nil && rawjson.Get(properties, "success") != nil && !strings.HasPrefix(structured, `{"success":`) {
		s, properties = data, rawjson.Get(data, "properties")
	}
	// A string with a format is not truncated.
	properties = rawjson.Replace(properties, "next_cursor", jsontext.Value(`{"format":"cursor"}`))
	return rawjson.Replace(s, "properties", properties)
}

// notice says what was truncated, and where the whole result is or which arguments make it smaller.
func (c *Run) notice(left []fit.Cut, whole *content.Link) string {
	const limit = 3
	var parts []string
	for _, l := range left[:min(len(left), limit)] {
		unit, path := "bytes", phrase.Clip(l.Path, 40)
		if l.Items {
			unit = "items"
		}
		if path == "" {
			path = "the result"
		}
		parts = append(parts, fmt.Sprintf("%s has the first %d of %d %s", path, l.Shown, l.All, unit))
	}
	if len(left) > limit {
		parts = append(parts, fmt.Sprintf("%d other parts are truncated", len(left)-limit))
	}
	text := fmt.Sprintf("[Truncated to %d bytes: %s.", c.budget(), strings.Join(parts, ", "))
	if whole != nil {
		return text + " For the whole result, read the resource " + whole.URI + "]"
	}
	var names []string
	for _, m := range rawjson.Parts(rawjson.Get(jsontext.Value(c.Contract.Input), "properties")) {
		names = append(names, m.Name)
	}
	if names != nil {
		text += " To get a complete result, narrow the request: change " + phrase.Clip(strings.Join(names, ", "), 100) + "."
	}
	return text + "]"
}

// warnings returns the warnings that fit their share of the budget.
func (c *Run) warnings(all []string) []string {
	for i := range all {
		if limit := c.budget(); limit > 0 && warningSize(all[:i+1]) > limit/warningShare {
			return all[:i:i]
		}
	}
	return all
}

func warningSize(warnings []string) (size int) {
	for _, w := range warnings {
		size += len("\n\nNote: ") + len(w)
	}
	return size
}

// fitFault shortens a fault that is over the budget.
func (c *Run) fitFault(f *fault.Error) *fault.Error {
	const room = 200 // for the names of members
	details, _ := json.Marshal(f.Details)
	limit := c.budget()
	if limit == 0 || len(f.Error())+len(strings.Join(f.Trace(), ""))+len(details)+room <= limit {
		return f
	}
	short := *f
	short.Details, short.Cause = nil, nil
	short.Message = fit.Marked(f.Message, limit-room)
	return &short
}

// blocksSize returns the maximum size of blocks as a client reads them. Binary data counts as a
// note, because no client shows it to a model as text.
func blocksSize(blocks content.Blocks) (size int) {
	for _, b := range blocks {
		size += len("\n\n") + blockSize(b)
	}
	return max(size-len("\n\n"), 0)
}

func blockSize(b content.Block) int {
	switch b := b.(type) {
	case content.Text:
		return len(b.Text)
	case content.Resource:
		return len(b.URI) + len("\n") + len(b.Text) + len(b.Formatted) + len(b.Name) + len(b.Title) + len(b.Description)
	case content.Link:
		return len(b.Name) + len(b.URI) + len(" <>") + len(b.Title) + len(b.Description)
	}
	return len(content.Blocks{b}.Flatten())
}

// cutBlocks returns the blocks that fit. The first block of text that does not fit is truncated, and all
// text after it is omitted.
func cutBlocks(blocks content.Blocks, limit int) (kept content.Blocks, left fit.Cut) {
	room := limit
	for _, b := range blocks {
		if size := blockSize(b) + len("\n\n"); !isText(b) && size <= room-limit/2 {
			room -= size // keep room for it, whatever text precedes it
		}
	}
	reserved, full := limit-room, false
	for _, b := range blocks {
		size := blockSize(b) + len("\n\n")
		switch text := isText(b); {
		case !text && size <= reserved:
			reserved -= size
			kept = append(kept, b)
		case text && !full && size <= room:
			room -= size
			kept = append(kept, b)
		case text && !full:
			full = true
			if part, n, all := cutBlock(b, room-len("\n\n")); kept == nil && part != nil {
				kept = append(kept, part)
				left = fit.Cut{Shown: n, All: all}
			}
		}
	}
	if left.All == 0 || len(blocks) > 1 && len(kept) < len(blocks) {
		left = fit.Cut{Shown: len(kept), All: len(blocks), Items: true}
	}
	return kept, left
}

func isText(b content.Block) bool {
	r, ok := b.(content.Resource)
	_, text := b.(content.Text)
	return text || ok && r.Blob == nil
}

// cutBlock returns the start of a text block or resource, its size, and the size of the whole.
func cutBlock(b content.Block, limit int) (part content.Block, shown, all int) {
	switch b := b.(type) {
	case content.Text:
		all, b.Text = len(b.Text), fit.Text(b.Text, limit)
		return b, len(b.Text), all
	case content.Resource:
		text := b.Text
		b.Text, b.Formatted = "", ""
		if limit -= blockSize(b); limit > 0 {
			b.Text = fit.Text(text, limit)
			return b, len(b.Text), len(text)
		}
	}
	return nil, 0, 0
}
