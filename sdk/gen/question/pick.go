package question

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// KindPick asks for one value from a list that is built at run time.
const KindPick Kind = "pick"

type pick struct{ choice }

func (pick) traits() Traits {
	return Traits{
		Answer: "one item of the list in the question", Prompt: Menu, Source: Runtime,
		NoDefault: "picks from a list built at run time, so its tag cannot have a default",
		Hint:      "delete the tag, and call the Default method",
	}
}

// plain returns the value for a title, because some hosts show only titles.
func (pick) plain(q Spec, content []byte) []byte {
	if typed, isText := text(content); isText {
		content, _ = json.Marshal(q.value(typed)) // cannot fail: the value is a string
	}
	return content
}

func (pick) lacks(q Question) string {
	if len(q.Options) == 0 {
		return "offers nothing to pick from: call Among or Offer with the values"
	}
	seen := make(map[string]bool, len(q.Options)) // values and titles
	for _, o := range q.Options {
		title := cmp.Or(o.Title, o.Value)
		for _, text := range []string{o.Value, title} {
			if text == "" || seen[text] {
				return fmt.Sprintf("offers %q, which is empty or offered more than once", text)
			}
		}
		seen[o.Value], seen[title] = true, true
	}
	return ""
}
