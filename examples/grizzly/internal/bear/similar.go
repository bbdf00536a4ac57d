package bear

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/jptool/jptool/sdk/tool"
)

// SimilarWords returns, for each of the words that does not occur in any note, the most similar word that does,
// if there is one. It ignores accents and case. The error is a [Failure].
func (db *DB) SimilarWords(ctx context.Context, words []string) (map[string]string, error) {
	similar := map[string]string{}
	err := db.read(ctx, func(v *view) error {
		clear(similar)
		s := scan{speller: newSpeller()}
		wanted := make([]prose, len(words))
		near := make([]map[string]bool, len(words))
		for i, word := range words {
			wanted[i], near[i] = bytes.Trim(s.speller.append(nil, word), " "), map[string]bool{}
		}
		err := v.each(ctx, v.schema.textsQuery(), nil, func(r row) {
			s.spell(r)
			for rest := s.prose[1:]; len(rest) > 0; {
				end := bytes.IndexByte(rest, gap)
				for i, want := range wanted {
					if word := rest[:end]; comparable(word, want) && !near[i][string(word)] {
						near[i][string(word)] = true
					}
				}
				rest = rest[end+1:]
			}
		})
		if err != nil {
			return err
		}
		for i, word := range words {
			if near[i][string(wanted[i])] {
				continue
			}
			if other, ok := tool.Nearest(string(wanted[i]), slices.Sorted(maps.Keys(near[i]))); ok {
				similar[word] = strings.ToLower(other)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return similar, nil
}

// comparable reports whether two words can be similar. It quickly excludes most words of a library.
func comparable(a, b []byte) bool {
	const limit = 3 // difference in length
	return len(a) > 3 && len(b) > 3 && len(a)-len(b) <= limit && len(b)-len(a) <= limit &&
		(a[0] == b[0] || bytes.HasSuffix(a, b[len(b)-2:]))
}
