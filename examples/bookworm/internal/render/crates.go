package render

import (
	"strconv"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
)

// Crates formats the results of a search for crates, each as a Crate element at crate://NAME/VERSION/.
func Crates(crates []registry.Crate, limit int) Answer {
	a := newAnswer(limit)
	for i, c := range crates {
		e := element{name: "Crate"}
		e.add("name", c.Name).add("version", c.Version).add("description", c.Description).add("downloads", count(c.Downloads)).
			add("homepage", c.Homepage).add("documentation", c.Documentation).add("repository", c.Repository)
		if !a.add(crateuri.Of(c.Name, c.Version).String()+"/", e) {
			a.remark("Showing %d of %d crates: the others do not fit into one answer. Search for more of a name to see them.", i, len(crates))
			break
		}
	}
	if len(crates) == 0 {
		a.remark("No crates match. Parts of words may help: the search looks for whole words in names and descriptions.")
	}
	return *a
}

// Versions formats the versions of a crate, each as a CrateVersion element at crate://NAME/NUM.
func Versions(name string, versions []registry.Version, limit int) Answer {
	a := newAnswer(limit)
	for i, v := range versions {
		e := element{name: "CrateVersion"}
		e.add("num", v.Num).add("created_at", v.CreatedAt).add("downloads", count(v.Downloads)).
			add("yanked", strconv.FormatBool(v.Yanked)).add("msrv", v.MSRV)
		if !a.add(crateuri.Of(name, v.Num).String(), e) {
			a.remark("Showing the newest %d of %d versions: the others do not fit into one answer. %s has what is known of one.",
				i, len(versions), crateuri.Of(name, "VERSION"))
			break
		}
	}
	if len(versions) == 0 {
		a.remark("%s has no versions that are not yanked.", name)
	}
	return *a
}

// Metadata formats the metadata of one version of a crate, as a CrateMetadata element at address.
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
