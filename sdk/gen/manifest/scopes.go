package manifest

import "slices"

// WithImplied returns scopes and all that they imply, in order of discovery, without repetitions.
func WithImplied(declared []Scope, scopes []string) []string {
	all := slices.Clone(scopes)
	for i := 0; i < len(all); i++ {
		for _, d := range declared {
			if d.Name != all[i] {
				continue
			}
			for _, implied := range d.Implies {
				if !slices.Contains(all, implied) {
					all = append(all, implied)
				}
			}
		}
	}
	return all
}
