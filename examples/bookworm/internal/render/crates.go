package render

import (
	"encoding/json"
	"strconv"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
	"github.com/jptool/jptool/examples/bookworm/internal/version"
)

// Crates formats the results of a search for crates. Each is a Crate element with the URI crate://NAME/VERSION/.
func Crates(crates []registry.Crate, limit int) Answer {
	a := newAnswer(limit)
	for i, c := range crates {
		e := element{name: "Crate"}
		e.add("name", c.Name).add("version", c.Version).add("description", summary(c.Description)).add("downloads", count(c.Downloads)).
			add("homepage", c.Homepage).add("documentation", c.Documentation).add("repository", c.Repository)
		if !a.add(crateuri.Of(c.Name, c.Version).String()+"/", e) {
			a.remark("Showing %d of %d crates. To find the others, add words to the query.", i, len(crates))
			break
		}
	}
	return *a
}

// Versions formats the versions of a crate. Each is a CrateVersion element with the URI crate://NAME/NUM. If the
// URI of the list contains a version, the list begins after that version. Versions also returns the versions that
// it shows.
func Versions(list crateuri.URI, versions []registry.Version, limit int) ([]registry.Version, Answer) {
	a := newAnswer(limit)
	from := 0
	if list.After != "" {
		for from < len(versions) && version.Compare(versions[from].Num, list.After) >= 0 {
			from++
		}
	}
	shown, structured := from, a.limit
	for _, v := range versions[from:] {
		e := element{name: "CrateVersion"}
		e.add("num", v.Num).add("created_at", v.CreatedAt).add("downloads", count(v.Downloads)).
			add("yanked", strconv.FormatBool(v.Yanked)).add("msrv", v.MSRV)
		data, err := json.Marshal(v)
		structured -= len(data) + 1
		if err != nil || structured < 0 && shown > from || !a.add(crateuri.Of(list.Crate, v.Num).String(), e) {
			break
		}
		shown++
	}
	switch {
	case len(versions) == 0:
		a.remark("Every version of %s is yanked.", list.Crate)
	case shown == from:
		a.remark("%s has no versions before %s.", list.Crate, list.After)
	case shown-from < len(versions):
		a.remark("Showing %d to %d of %d versions.", from+1, shown, len(versions))
	}
	if shown < len(versions) && shown > from {
		list.After = versions[shown-1].Num
		a.remark("The next part is at %s", list)
	}
	return versions[from:shown], *a
}

// Metadata formats the metadata of one version of a crate as a CrateMetadata element whose URI is address.
func Metadata(address crateuri.URI, m *registry.Metadata, v registry.Version, limit int) Answer {
	a := newAnswer(limit)
	e := element{name: "CrateMetadata"}
	e.add("name", m.Name).add("description", m.Description).add("homepage", m.Homepage).add("documentation", m.Documentation).
		add("repository", m.Repository).addAll("keywords", m.Keywords).addAll("categories", m.Categories).
		add("num", v.Num).add("created_at", v.CreatedAt).add("downloads", count(v.Downloads)).add("license", v.License).
		add("published_by", v.PublishedBy).add("yanked", strconv.FormatBool(v.Yanked)).add("msrv", v.MSRV)
	a.add(address.String(), e)
	return *a
}

func count(n int64) string { return strconv.FormatInt(n, 10) }
