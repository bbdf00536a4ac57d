package repair

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// open returns the value at a path so that it can be changed. It decodes strings with JSON that contain the
// value.
func (c *Call) open(p []any) (v any, put func(any)) {
	v, put = c.Args, func(n any) { c.Args = n }
	for _, s := range p {
		if text, ok := v.(string); ok {
			var inner any
			if json.Unmarshal([]byte(text), &inner) == nil {
				put(inner)
				v = inner
			}
		}
		above := put
		switch s := s.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				m = map[string]any{}
				above(m)
			}
			v, put = m[s], func(n any) { m[s] = n }
		case int:
			list, ok := v.([]any)
			if !ok || s >= len(list) {
				return nil, func(any) {}
			}
			v, put = list[s], func(n any) { list[s] = n }
		}
	}
	return v, put
}

func (c *Call) get(p []any) any {
	v, _ := c.open(p)
	return v
}

// set changes the value at a path, or removes it. It reports whether it succeeded.
func (c *Call) set(p []any, v any, remove bool) bool {
	if remove {
		above, _ := c.open(p[:len(p)-1])
		m, ok := above.(map[string]any)
		delete(m, fmt.Sprint(p[len(p)-1]))
		return ok
	}
	_, put := c.open(p)
	put(v)
	return true
}

// rename renames the last member of a path, and reports whether the member existed.
func (c *Call) rename(p []any, from, to string) bool {
	above, _ := c.open(p[:len(p)-1])
	m, ok := above.(map[string]any)
	v, has := m[from]
	if !ok || !has {
		return false
	}
	delete(m, from)
	m[to] = v
	return true
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, inner := range v {
			out[name] = clone(inner)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i])
		}
		return out
	}
	return v
}

var (
	span     = regexp.MustCompile(`from (\S+) to (\S+)`)
	least    = regexp.MustCompile(`at least (\S+)`)
	most     = regexp.MustCompile(`at most (\S+)`)
	above    = regexp.MustCompile(`greater than (\S+)`)
	below    = regexp.MustCompile(`less than (\S+)`)
	multiple = regexp.MustCompile(`a multiple of (\S+)`)
	count    = regexp.MustCompile(`(?:(exactly|at least|at most) (\d+)|(\d+) to (\d+)) (?:character|item|member)`)
)

// value returns a value that fits the description in expected, and keeps as much as possible of the value that
// was sent.
func value(expected string, sent any) any {
	text, isText := sent.(string)
	switch {
	case strings.HasPrefix(expected, `["`):
		var list any
		_ = json.Unmarshal([]byte(expected[:strings.Index(expected, "]")+1]), &list)
		return list
	case strings.HasPrefix(expected, "one of "):
		first, _, _ := strings.Cut(strings.TrimPrefix(expected, "one of "), ", ")
		return literal(first)
	case strings.HasPrefix(expected, "true or false"):
		lower := strings.ToLower(fmt.Sprint(sent))
		return lower == "yes" || lower == "on" || lower == "1" || lower == "true"
	case strings.HasPrefix(expected, "an integer"), strings.HasPrefix(expected, "a number"):
		return number(expected, sent)
	case strings.Contains(expected, "such as "):
		_, sample, _ := strings.Cut(expected, "such as ")
		return literal(sample)
	case strings.Contains(expected, "base64"):
		return base64.StdEncoding.EncodeToString([]byte(text))
	case strings.HasPrefix(expected, "a string"):
		if !isText && sent != nil {
			text = fmt.Sprint(sent)
			if list, ok := sent.([]any); ok && len(list) > 0 {
				text = fmt.Sprint(list[0])
			}
		}
		return expectedLength(expected, text)
	case strings.HasPrefix(expected, "a list"):
		return items(expected, sent)
	case strings.HasPrefix(expected, "an object"):
		return members(expected, sent)
	}
	return literal(expected)
}

// literal returns the value of JSON text, or the text itself if it is not JSON.
func literal(text string) any {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	return v
}

func number(expected string, sent any) any {
	n, ok := sent.(float64)
	if text, isText := sent.(string); isText {
		digits := regexp.MustCompile(`-?\d+(\.\d+)?`).FindString(strings.ReplaceAll(text, ",", ""))
		n, _ = strconv.ParseFloat(digits, 64)
	} else if !ok {
		n = 0
	}
	if strings.HasPrefix(expected, "an integer") {
		n = math.Round(n)
	}
	limit := func(re *regexp.Regexp, group int) (float64, bool) {
		m := re.FindStringSubmatch(expected)
		if m == nil {
			return 0, false
		}
		x, err := strconv.ParseFloat(m[group], 64)
		return x, err == nil
	}
	if x, ok := limit(multiple, 1); ok {
		n = math.Round(n/x) * x
	}
	if x, ok := limit(span, 1); ok {
		n = max(n, x)
	}
	if x, ok := limit(least, 1); ok {
		n = max(n, x)
	}
	if x, ok := limit(above, 1); ok && n <= x {
		n = x + 1
	}
	for i, re := range []*regexp.Regexp{span, most} {
		if x, ok := limit(re, 2-i); ok {
			n = min(n, x)
		}
	}
	if x, ok := limit(below, 1); ok && n >= x {
		n = x - 1
	}
	return n
}

// counts extracts the minimum and the maximum number of characters, items or members from a description of
// the limits.
func counts(expected string) (from, to int) {
	m := count.FindStringSubmatch(expected)
	if m == nil {
		return 0, math.MaxInt
	}
	n, _ := strconv.Atoi(m[2] + m[3])
	last, _ := strconv.Atoi(m[4])
	switch m[1] {
	case "exactly":
		return n, n
	case "at least":
		return n, math.MaxInt
	case "at most":
		return 0, n
	}
	return n, last
}

func expectedLength(expected, text string) string {
	from, to := counts(expected)
	runes := []rune(text)
	for len(runes) < from {
		runes = append(runes, 'x')
	}
	return string(runes[:min(len(runes), to)])
}

func items(expected string, sent any) any {
	from, to := counts(expected)
	list, ok := sent.([]any)
	if text, isText := sent.(string); isText {
		for _, part := range strings.Split(strings.Trim(text, "[]"), ",") {
			list = append(list, literal(strings.Trim(part, ` '"`)))
		}
	} else if !ok && sent != nil {
		list = []any{sent}
	}
	if strings.Contains(expected, "without duplicates") {
		var once []any
		seen := map[string]bool{}
		for _, v := range list {
			if key := fmt.Sprint(v); !seen[key] {
				seen[key] = true
				once = append(once, v)
			}
		}
		list = once
	}
	for len(list) < from {
		var next any = "x"
		if len(list) > 0 {
			next = list[len(list)-1]
		}
		list = append(list, next)
	}
	if list == nil {
		list = []any{}
	}
	return list[:min(len(list), to)]
}

func members(expected string, sent any) any {
	from, to := counts(expected)
	m, _ := clone(sent).(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if len(m) > to {
			delete(m, name)
		}
	}
	for len(m) < from {
		m["x"] = 1.0
	}
	return m
}
