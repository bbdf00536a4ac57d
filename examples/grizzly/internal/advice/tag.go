package advice

import (
	"slices"
	"strings"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/sdk/tool"
)

// similarTag returns the tag that text probably means, or "" if no tag is similar.
func (m *meaning) similarTag(text string) string {
	tags := m.tags
	name := bear.TagName(text)
	if slices.Contains(tags, name) {
		return name
	}
	if near := bear.SimilarTags(name, tags); len(near) > 0 {
		return near[0]
	}
	name = strings.ToLower(strings.Join(m.plain(name), " "))
	if name == "" {
		return ""
	}
	for _, tag := range tags {
		if slices.Contains(strings.Split(strings.ToLower(tag), "/"), name) {
			return tag
		}
	}
	near, _ := tool.Nearest(name, tags)
	return near
}
