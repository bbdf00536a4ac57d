package profile

import (
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
)

// Shown returns a profile without possible secrets: values of headers and environment variables keep only their
// references, and a URL has no query.
func (p *Profile) Shown() *Profile {
	bare := *p
	bare.Env, bare.Headers = redacted(p.Env), redacted(p.Headers)
	if u, err := url.Parse(p.Target); err == nil && strings.HasPrefix(u.Scheme, "http") && u.RawQuery != "" {
		u.RawQuery = "…"
		bare.Target = u.String()
	}
	return &bare
}

func redacted(values map[string]string) map[string]string {
	out := maps.Clone(values)
	for name, value := range out {
		out[name] = secret.Redact(value)
	}
	return out
}

func sorted(values map[string]string) []string { return slices.Sorted(maps.Keys(values)) }

func join(base, dir string) string {
	if dir == "" || filepath.IsAbs(dir) {
		if dir == "" {
			return base
		}
		return dir
	}
	return filepath.Join(base, filepath.FromSlash(dir))
}
