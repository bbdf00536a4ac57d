package jpvet

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A piece is a part of a string: known text, or a value.
type piece struct {
	words string
	value traced
}

// host returns the values that a URL contains up to the end of its host.
func (p *program) host(url traced) []traced {
	var all []traced
	before := ""
	for _, one := range p.pieces(url, 0) {
		if one.value.value != nil {
			all = append(all, one.value)
			before += "x"
			continue
		}
		before += one.words
		_, rest, found := strings.Cut(before, "://")
		if !found {
			rest = before
		}
		if strings.ContainsAny(rest, "/?#") {
			break
		}
	}
	return all
}

// pieces returns the parts of a string in order, as far as they are known.
func (p *program) pieces(e traced, depth int) []piece {
	whole := []piece{{value: e}}
	if depth > maxDepth {
		return whole
	}
	if text, ok := stringOf(e.value); ok {
		return []piece{{words: text}}
	}
	switch v := e.value.(type) {
	case *ssa.BinOp:
		return append(p.pieces(e.of(v.X), depth+1), p.pieces(e.of(v.Y), depth+1)...)
	case *ssa.ChangeType, *ssa.MakeInterface:
		return p.pieces(e.of(from(v)), depth+1)
	case *ssa.UnOp:
		if held := p.singleValue(v.X); held != nil {
			return p.pieces(e.of(held), depth+1)
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return p.piecesOf(e, call, depth)
		}
	case *ssa.Call:
		return p.piecesOf(e, v, depth)
	}
	return whole
}

// piecesOf returns the parts of the string that a call returns.
func (p *program) piecesOf(e traced, call *ssa.Call, depth int) []piece {
	c := &call.Call
	fn, obj := p.callee(c)
	if fn != nil {
		if all := slices.Collect(each[*ssa.Return](fn)); len(all) == 1 && len(all[0].Results) > 0 {
			inner := e.of(all[0].Results[0])
			inner.frame = &frame{fn: fn, args: c.Args, up: e.frame}
			return p.pieces(inner, depth+1)
		}
		return []piece{{value: e}}
	}
	name := ""
	if obj != nil && len(c.Args) > 0 {
		name = obj.FullName()
	}
	switch name {
	case "fmt.Sprintf":
		if format, ok := stringOf(c.Args[0]); ok && len(c.Args) > 1 {
			return p.formatParts(e, format, functionsIn(c.Args[1]), depth)
		}
	case "net/url.Parse", "net/url.ParseRequestURI", "net/url.JoinPath", "(*net/url.URL).JoinPath":
		return p.pieces(e.of(c.Args[0]), depth+1)
	case "(*net/url.URL).String":
		of := c.Args[0]
		if _, made := of.(*ssa.Alloc); !made {
			return p.pieces(e.of(of), depth+1)
		}
		return []piece{{words: "http://"}, {value: e.part(of, fieldOf(of.Type(), "Host"))}, {words: "/"}}
	}
	return []piece{{value: e}}
}

// formatParts returns the parts of the result of fmt.Sprintf. If it cannot interpret the format, the result is a
// single part, made of the first argument.
func (p *program) formatParts(e traced, format string, args []ssa.Value, depth int) []piece {
	var all []piece
	for len(format) > 0 {
		words, rest, found := strings.Cut(format, "%")
		all = append(all, piece{words: words})
		if !found {
			break
		}
		verb := strings.TrimLeft(rest, "+-# 0123456789.")
		if strings.HasPrefix(rest, "%") {
			all, format = append(all, piece{words: "%"}), rest[1:]
			continue
		}
		if verb == "" || verb[0] == '[' || verb[0] == '*' || len(args) == 0 {
			break
		}
		all = append(all, p.pieces(e.of(args[0]), depth+1)...)
		args, format = args[1:], verb[1:]
	}
	return all
}
