package cost

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/jptool/jptool/internal/phrase"
)

// Text returns the report as tables for a terminal.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, in tokens of %s\n\n", r.Server, phrase.Plural(len(r.Tools), "tool"), r.Encoding)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(what string, of func(Views) int) {
		fmt.Fprintf(w, "%s\t%d", what, of(r.Views))
		if r.Before != nil {
			fmt.Fprintf(w, "\t%+d", of(r.Views)-of(r.Before.Views))
		}
		fmt.Fprintln(w)
	}
	row("sent to the model", func(v Views) int { return v.Model })
	if r.Relaying != r.Model {
		row("… in clients that cannot ask", func(v Views) int { return v.Relaying })
	}
	row("whole list", func(v Views) int { return v.List })
	if r.Outputs != r.List {
		row("… with output schemas", func(v Views) int { return v.Outputs })
	}
	other := func(what string, of func(*Report) int) {
		if of(r) == 0 && (r.Before == nil || of(r.Before) == 0) {
			return
		}
		fmt.Fprintf(w, "%s\t%d", what, of(r))
		if r.Before != nil {
			fmt.Fprintf(w, "\t%+d", of(r)-of(r.Before))
		}
		fmt.Fprintln(w)
	}
	other("list of resources", func(r *Report) int { return r.Resources })
	other("list of prompts", func(r *Report) int { return r.Prompts })
	if r.Budget > 0 {
		fmt.Fprintf(w, "budget\t%d\n", r.Budget)
	}
	r.tools(w)
	w.Flush() //nolint:errcheck // cannot fail: it writes to a strings.Builder
	return b.String()
}

// tools writes a row for each tool, and for each tool that exists only in r.Before.
func (r *Report) tools(w *tabwriter.Writer) {
	fmt.Fprint(w, "\nmodel\t")
	if r.Before != nil {
		fmt.Fprint(w, "change\t")
	}
	fmt.Fprintln(w, "list\tdescription\tparameters\tschema\ttitle\tannotations\t_meta\toutput\ttool")
	for _, t := range r.Tools {
		fmt.Fprintf(w, "%d\t", t.Model)
		if r.Before != nil {
			change := "new"
			if old, has := r.Before.tool(t.Name); has {
				change = fmt.Sprintf("%+d", t.Model-old.Model)
			}
			fmt.Fprintf(w, "%s\t", change)
		}
		p := t.Parts
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", t.List, p.Description, p.Parameters, p.Schema, p.Title, p.Annotations, p.Meta, p.Output, t.Name)
	}
	if r.Before == nil {
		return
	}
	for _, t := range r.Before.Tools {
		if _, has := r.tool(t.Name); !has {
			fmt.Fprintf(w, "0\t%+d\t0\t0\t0\t0\t0\t0\t0\t0\t%s (removed)\n", -t.Model, t.Name)
		}
	}
}

func (r *Report) tool(name string) (Tool, bool) {
	i := slices.IndexFunc(r.Tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return r.Tools[i], true
}
