package notes

import (
	"context"
	"slices"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/sdk/elicit"
)

// maxSimilar is the maximum number of existing tags that are offered instead of a new one.
const maxSimilar = 7

// tags returns the tags of a new note. It asks about each tag that is similar to an existing one. The first
// question has the declared id; further questions have their own ids.
func tags(ctx context.Context, library *bear.DB, wanted []string, ask elicit.Pick) ([]string, error) {
	if len(wanted) == 0 {
		return nil, nil
	}
	existing, err := library.Tags(ctx)
	if err != nil {
		return nil, faultOf(err)
	}
	asked := map[string]string{}
	var tags []string
	for _, tag := range wanted {
		similar := bear.SimilarTags(tag, existing)
		if known, again := asked[tag]; again {
			tag = known
		} else if len(similar) > 0 {
			question := ask
			if len(asked) > 0 {
				question = ask.For(tag)
			}
			offer := append([]string{tag}, similar[:min(len(similar), maxSimilar)]...)
			picked, err := question.Among(offer...).Default(tag).
				Ask(ctx, "The tag %q is new, but similar to an existing one. Which tag should the note have?", tag)
			if err != nil {
				return nil, err
			}
			asked[tag] = picked
			tag = picked
		}
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags, nil
}
