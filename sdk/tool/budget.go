package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/fit"
)

const (
	// noticeRoom is the maximum size of the truncation notice.
	noticeRoom = 400
	// envelopeRoom is the maximum size of the envelope that a server may add around structured
	// content.
	envelopeRoom = len(`{"success":true,"data":}`)
	// warningShare limits warnings to a fraction of the budget: 1/warningShare.
	warningShare = 4
)

// A budget limits the size of a result. Text and structured content are limited separately, because
// a client shows a model only one of them.
type budget struct {
	contract *manifest.Tool
	most     int
}

// budget returns the budget of the tool, or false if it declares none.
func (c *Call) budget() (budget, bool) {
	t := c.request.Contract
	if t == nil || t.Budget <= 0 {
		return budget{}, false
	}
	return budget{t, t.Budget}, true
}

// text returns the maximum size of the blocks of a result.
func (b budget) text(r Result) int {
	room := b.most - warningSize(r.Warnings)
	if r.footer != "" {
		room -= len("\n\n") + len(r.footer)
	}
	return room
}

// holds reports whether a result fits the budget.
func (b budget) holds(r Result) bool {
	return sizeOf(r.Blocks) <= b.text(r) && len(r.Structured) <= b.most-envelopeRoom
}

// fit completes a result. It cuts a result that is over the budget of its tool, and in a test it
// reports the cut.
func (c *Call) fit(ctx context.Context, r Result) (Result, error) {
	r, err := c.fitted(ctx, r)
	if r.footer != "" {
		r.Blocks = append(slices.Clip(r.Blocks), content.Text{Text: r.footer})
	}
	r.page, r.derive, r.footer, r.whole = nil, nil, "", nil
	return r, err
}

func (c *Call) fitted(ctx context.Context, r Result) (Result, error) {
	b, limited := c.budget()
	if limited {
		r.Warnings = b.warnings(r.Warnings)
	}
	if r.page != nil {
		var err error
		var fits bool
		if r, fits, err = c.paged(r.page, r.Warnings); fits || err != nil {
			return r, err
		}
	}
	if r.page == nil {
		r = c.choose(r)
	}
	if !limited || b.holds(r) {
		return r, nil
	}
	size := max(sizeOf(r.Blocks), len(r.Structured))
	if r.whole != nil {
		return c.cut(b, r, size)
	}
	if h, ok := ctx.Value(rehearsalKey{}).(*rehearsal); ok {
		h.report(fmt.Sprintf("%s returned %d bytes, over its budget of %d: return less, a tool.Page with smaller items, or a link to the whole result", c.of.name, size, b.most))
	}
	c.operator().Warn("result cut to the tool's budget", "bytes", size, "budget", b.most)
	return c.cut(b, r, size)
}

// cut cuts a result that does not fit. It returns an error if what is left does not match the
// published schema.
func (c *Call) cut(b budget, r Result, size int) (Result, error) {
	r, err := b.cut(r, size)
	if err == nil && c.of.matches != nil {
		if _, unfit := c.of.matches(r); unfit != nil {
			return Result{}, b.refuse(size)
		}
	}
	return r, err
}

// cut cuts a result that does not fit, and adds the link to the whole result.
func (b budget) cut(r Result, size int) (Result, error) {
	var left []fit.Cut
	room := b.text(r) - noticeRoom
	if r.whole != nil {
		room -= 2 * blockSize(*r.whole) // its URI is also in the notice
	}
	if r.Structured != "" {
		most, beside := b.most-envelopeRoom, 0
		if r.derive != nil {
			beside = min(sizeOf(r.Blocks[1:]), room/2)
			most = min(most, room-beside)
		}
		var ok bool
		if r.Structured, left, ok = fit.JSON(r.Structured, b.output(r.Structured), most); !ok {
			return Result{}, b.refuse(size)
		}
		r = r.derived()
	}
	if sizeOf(r.Blocks) > room {
		var cut fit.Cut
		r.Blocks, cut = cutBlocks(r.Blocks, room)
		left = append(left, cut)
	}
	if r.whole != nil {
		r.Blocks = append(slices.Clip(r.Blocks), *r.whole)
	}
	r.Blocks = append(slices.Clip(r.Blocks), content.Text{Text: b.notice(left, r.whole)})
	if !b.holds(r) { // parts that cannot be cut, such as long URIs
		return Result{}, b.refuse(size)
	}
	return r, nil
}

func (b budget) refuse(size int) error {
	return fault.New(fault.Internal, "the result has %d bytes, more than the budget of %d bytes, and cannot be cut; ask for a smaller result", size, b.most)
}

// output returns the schema of structured content, without an envelope.
func (b budget) output(structured string) *fit.Schema {
	s := fit.ParseSchema(b.contract.Output)
	if s == nil {
		return nil
	}
	if data := s.Properties["data"]; data != nil && s.Properties["success"] != nil && !strings.HasPrefix(structured, `{"success":`) {
		s = data
	}
	if next := s.Properties["next_cursor"]; next != nil {
		next.Whole = true
	}
	return s
}

// notice returns the text that says what was cut, and where the whole result is or which arguments
// can make it smaller.
func (b budget) notice(left []fit.Cut, whole *content.Link) string {
	const most = 3
	var parts []string
	for _, l := range left[:min(len(left), most)] {
		unit, path := "bytes", phrase.Clip(l.Path, 40)
		if l.Items {
			unit = "items"
		}
		if path == "" {
			path = "the result"
		}
		parts = append(parts, fmt.Sprintf("%s has the first %d of %d %s", path, l.Shown, l.All, unit))
	}
	if len(left) > most {
		parts = append(parts, fmt.Sprintf("%d other parts are cut", len(left)-most))
	}
	text := fmt.Sprintf("[Cut to the limit of %d bytes: %s.", b.most, strings.Join(parts, ", "))
	if whole != nil {
		return text + " For the whole result, read the resource " + whole.URI + "]"
	}
	var input struct{ Properties json.RawMessage }
	if json.Unmarshal(b.contract.Input, &input) == nil {
		var names []string
		members, _ := rawjson.Members(input.Properties) // without members there is nothing to name
		for _, m := range members {
			names = append(names, m.Name)
		}
		if len(names) > 0 {
			text += " To get a complete result, narrow the request: change " + phrase.Clip(strings.Join(names, ", "), 100) + "."
		}
	}
	return text + "]"
}

// warnings returns the warnings that fit their share of the budget.
func (b budget) warnings(all []string) []string {
	for i := range all {
		if warningSize(all[:i+1]) > b.most/warningShare {
			return all[:i:i]
		}
	}
	return all
}

// warningSize returns the size of warnings in the text of a result.
func warningSize(warnings []string) (size int) {
	for _, w := range warnings {
		size += len("\n\nNote: ") + len(w)
	}
	return size
}

// fitFault shortens a fault that is over the budget.
func (c *Call) fitFault(f *fault.Error) *fault.Error {
	b, limited := c.budget()
	if !limited {
		return f
	}
	const room = 200 // for the names of members
	details, _ := json.Marshal(f.Details)
	if len(f.Error())+len(strings.Join(f.Trace(), ""))+len(details)+room <= b.most {
		return f
	}
	short := *f
	short.Details, short.Cause = nil, nil
	short.Message = fit.Marked(f.Message, b.most-room)
	return &short
}

// sizeOf returns the maximum size of blocks as a client reads them. Binary data counts as a note
// about it, because no client shows it to a model as text.
func sizeOf(blocks content.Blocks) (size int) {
	for i, b := range blocks {
		if i > 0 {
			size += len("\n\n")
		}
		size += blockSize(b)
	}
	return size
}

func blockSize(b content.Block) int {
	switch b := b.(type) {
	case content.Text:
		return len(b.Text)
	case content.Resource:
		return len(b.URI) + len("\n") + len(b.Text) + len(b.Formatted) + len(b.Name) + len(b.Title) + len(b.Description)
	case content.Link:
		return len(b.Name) + len(b.URI) + len(" <>") + len(b.Title) + len(b.Description)
	case content.Status, nil:
		return 0
	}
	return len(content.Blocks{b}.Flatten())
}

// cutBlocks returns the blocks that fit in a number of bytes. The first block of text that does not
// fit is cut, and all text after it is left out.
func cutBlocks(blocks content.Blocks, most int) (kept content.Blocks, left fit.Cut) {
	room := most
	for _, b := range blocks {
		if size := blockSize(b) + len("\n\n"); !isText(b) && size <= room-most/2 {
			room -= size // keep room for it, whatever text precedes it
		}
	}
	reserved, full, shown := most-room, false, 0
	for _, b := range blocks {
		size := blockSize(b) + len("\n\n")
		switch {
		case !isText(b):
			if size <= reserved {
				reserved -= size
				kept = append(kept, b)
				shown++
			}
			continue
		case full:
			continue
		case size <= room:
			room -= size
			kept = append(kept, b)
			shown++
			continue
		}
		full = true
		if part, n, all := cutBlock(b, room-len("\n\n")); shown == 0 && part != nil {
			kept = append(kept, part)
			left = fit.Cut{Shown: n, All: all}
		}
	}
	if left.All == 0 || len(blocks) > 1 && len(kept) < len(blocks) {
		left = fit.Cut{Shown: len(kept), All: len(blocks), Items: true}
	}
	return kept, left
}

func isText(b content.Block) bool {
	switch b := b.(type) {
	case content.Text:
		return true
	case content.Resource:
		return b.Blob == nil
	}
	return false
}

// cutBlock returns the start of a text block or resource, its size, and the size of the whole.
func cutBlock(b content.Block, most int) (part content.Block, shown, all int) {
	switch b := b.(type) {
	case content.Text:
		all, b.Text = len(b.Text), fit.Text(b.Text, most)
		return b, len(b.Text), all
	case content.Resource:
		text := b.Text
		b.Text, b.Formatted = "", ""
		if most -= blockSize(b); most <= 0 {
			return nil, 0, 0
		}
		b.Text = fit.Text(text, most)
		return b, len(b.Text), len(text)
	}
	return nil, 0, 0
}
