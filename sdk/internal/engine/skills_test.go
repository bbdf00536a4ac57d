package engine_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// skillFiles are the files of two skills, one of which is in the directory of the other.
var skillFiles = map[string]string{
	"review/SKILL.md":               "---\nname: review\ndescription: \"Reviews: notes\"\n---\n\n# Review\n",
	"review/references/style.md":    "<b>Style</b> & \"quotes\" \u2028 é\r\n",
	"review/references/logo.png":    "\x89PNG\r\n\xff\xfe\x00",
	"review/empty.txt":              "",
	"review/deep/SKILL.md":          "---\nname: deep\ndescription: Goes deeper.\n---\n",
	"team/billing/refunds/a.md":     "a",
	"team/billing/refunds/SKILL.md": "---\nname: refunds\ndescription: Refunds.\n---\n",
}

// library returns a server with skills. more is the number of further skills.
func library(more int) *sdk.Server {
	files, all := fstest.MapFS{}, map[string]string{}
	for name, data := range skillFiles {
		all[name] = data
	}
	for i := range more {
		all[fmt.Sprintf("more-%04d/SKILL.md", i)] = fmt.Sprintf("---\nname: more-%04d\ndescription: D\n---\n", i)
	}
	contract := &manifest.Server{Format: 1, Name: "library", Clients: manifest.JP, Unknown: manifest.Ignore, Tools: []manifest.Tool{}}
	byPath := map[string]*manifest.Skill{}
	for name, data := range all {
		files["skills/"+name] = &fstest.MapFile{Data: []byte(data)}
		if path.Base(name) == "SKILL.md" {
			dir := path.Dir(name)
			matter, _ := json.Marshal(map[string]string{
				"name": path.Base(dir), "description": strings.Trim(strings.TrimSpace(strings.Split(strings.Split(data, "description:")[1], "\n")[0]), `"`),
			})
			byPath[dir] = &manifest.Skill{Path: dir, Frontmatter: matter}
		}
	}
	for dir, s := range byPath {
		for name, data := range all {
			if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
				sum := sha256.Sum256([]byte(data))
				s.Files = append(s.Files, manifest.SkillFile{Path: rest, Digest: "sha256:" + hex.EncodeToString(sum[:]), Size: len(data)})
			}
		}
		slices.SortFunc(s.Files, func(x, y manifest.SkillFile) int { return strings.Compare(x.Path, y.Path) })
		contract.Skills = append(contract.Skills, *s)
	}
	slices.SortFunc(contract.Skills, func(x, y manifest.Skill) int { return strings.Compare(x.Path, y.Path) })
	return sdk.NewServer(contract).AddSkills(files, "skills")
}

// A skill is an entry of skills/list.
type skillEntry struct {
	URI         string
	Frontmatter map[string]string
	Resources   []struct {
		URI, Digest string
		Size        int
	}
}

type skillsPage struct {
	Result struct {
		ResultType string
		Skills     []skillEntry
		Skill      skillEntry
		NextCursor string
		TTLMs      *int
		CacheScope string
		Resources  []struct{ URI, Name, Description, MimeType string }
		Contents   []struct {
			URI, MimeType, Text string
			Blob                []byte
		}
		Capabilities struct {
			Extensions map[string]json.RawMessage
			Resources  json.RawMessage
		}
	}
	Error struct {
		Code    int
		Message string
	}
}

func skillDoor(t *testing.T, call door) func(method, params string) skillsPage {
	return func(method, params string) (p skillsPage) {
		t.Helper()
		text := call(t, method, params)
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return p
	}
}

// A host lists the skills, reads their files and checks the digests.
func TestSkills(t *testing.T) {
	for name, open := range doors(t, func() *sdk.Server { return library(0) }) {
		t.Run(name, func(t *testing.T) {
			call := skillDoor(t, open)
			older := !strings.HasSuffix(name, "2026-07-28")
			list := call("resources/list", "")
			if len(list.Result.Resources) != 3 || list.Result.Resources[0].URI != "skill://review/SKILL.md" || list.Result.Resources[0].Name != "review" ||
				list.Result.Resources[0].Description != "Reviews: notes" || list.Result.Resources[0].MimeType != "text/markdown" {
				t.Errorf("resources %+v", list.Result.Resources)
			}
			for file, data := range skillFiles {
				read := call("resources/read", `"uri":"skill://`+file+`"`)
				if len(read.Result.Contents) != 1 || read.Result.Contents[0].Text+string(read.Result.Contents[0].Blob) != data || read.Result.Contents[0].URI != "skill://"+file {
					t.Errorf("%s: %+v", file, read)
				}
			}
			if older {
				for _, method := range []string{"skills/list", "skills/get", "resources/directory/read"} {
					if got := call(method, `"uri":"skill://review/SKILL.md"`); got.Error.Code != -32601 {
						t.Errorf("%s: %+v", method, got)
					}
				}
				return
			}
			about := call("server/discover", "").Result.Capabilities
			if string(about.Extensions["io.modelcontextprotocol/skills"]) != `{"directoryRead":true}` || about.Resources == nil {
				t.Errorf("capabilities %+v", about)
			}
			all := call("skills/list", "").Result
			if all.ResultType != "complete" || all.TTLMs == nil || all.CacheScope != "public" || all.NextCursor != "" || len(all.Skills) != 3 {
				t.Fatalf("skills %+v", all)
			}
			for _, s := range all.Skills {
				got := call("skills/get", `"uri":"`+s.URI+`"`).Result
				if fmt.Sprint(got.Skill) != fmt.Sprint(s) || got.TTLMs == nil || got.CacheScope != "public" || got.ResultType != "complete" {
					t.Errorf("%s: %+v", s.URI, got)
				}
				if path.Base(path.Dir(s.URI)) != s.Frontmatter["name"] || s.Frontmatter["description"] == "" {
					t.Errorf("entry %+v", s)
				}
				for _, r := range s.Resources {
					c := call("resources/read", `"uri":"`+r.URI+`"`).Result.Contents[0]
					data := append([]byte(c.Text), c.Blob...)
					if sum := sha256.Sum256(data); r.Size != len(data) || r.Digest != "sha256:"+hex.EncodeToString(sum[:]) {
						t.Errorf("%s has another digest", r.URI)
					}
				}
			}
			if n := len(all.Skills[0].Resources) + len(all.Skills[1].Resources); n != 6 { // deep is a part of review, too
				t.Errorf("%d files of review and deep", n)
			}
		})
	}
}

func TestSkillDirectories(t *testing.T) {
	call := skillDoor(t, overStream(t, library(0), "2026-07-28", sdk.Options{}))
	for dir, want := range map[string]string{
		"skill://review":               "SKILL.md text/markdown,deep inode/directory,empty.txt text/plain,references inode/directory",
		"skill://review/references":    "logo.png image/png,style.md text/markdown",
		"skill://review/deep":          "SKILL.md text/markdown",
		"skill://team":                 "billing inode/directory",
		"skill://team/billing":         "refunds inode/directory",
		"skill://team/billing/refunds": "SKILL.md text/markdown,a.md text/markdown",
	} {
		var got []string
		page := call("resources/directory/read", `"uri":"`+dir+`"`)
		for _, r := range page.Result.Resources {
			if r.URI != dir+"/"+r.Name {
				t.Errorf("%s has the child %s", dir, r.URI)
			}
			got = append(got, r.Name+" "+r.MimeType)
		}
		if strings.Join(got, ",") != want || page.Result.ResultType != "complete" {
			t.Errorf("%s: %q %+v", dir, got, page)
		}
	}
}

// A URI that is not exactly that of a file, a skill or a directory has none.
func TestHostileSkillURIs(t *testing.T) {
	call := skillDoor(t, overStream(t, library(0), "2026-07-28", sdk.Options{}))
	for _, uri := range []string{
		"", ".", "skill://", "skill:///", "skill://.", "skill://..", "skill://review/", "skill://review//SKILL.md", "skill://review/./SKILL.md",
		"skill://review/../review/SKILL.md", "skill://review/references/../../review/SKILL.md", "skill://../skills/review/SKILL.md",
		"skill://review%2FSKILL.md", "skill://review/SKILL%2Emd", "skill://REVIEW/SKILL.md", "SKILL://review/SKILL.md", "skill://review/skill.md",
		"skill://review/SKILL.md#x", "skill://review/SKILL.md?x", "skill://review/SKILL.md\\u0000", "file:///etc/passwd", "skill://review/references",
		"skill://review\\\\SKILL.md", "skill://rev\\u0131ew/SKILL.md", "skill://" + strings.Repeat("a/", 5000), strings.Repeat("x", 1<<20),
	} {
		for _, method := range []string{"resources/read", "skills/get", "resources/directory/read"} {
			if method == "resources/directory/read" && uri == "skill://review/references" {
				continue
			}
			if got := call(method, `"uri":"`+uri+`"`); got.Error.Code != -32602 {
				t.Errorf("%s %.80q: %+v", method, uri, got)
			}
		}
	}
	for _, params := range []string{"", `"uri":null`, `"uri":7`, `"uri":["skill://review/SKILL.md"]`} {
		for _, method := range []string{"skills/get", "resources/directory/read"} {
			if got := call(method, params); got.Error.Code != -32602 {
				t.Errorf("%s %s: %+v", method, params, got)
			}
		}
	}
}

func TestPagesOfSkills(t *testing.T) {
	const more = 350
	call := skillDoor(t, overStream(t, library(more), "2026-07-28", sdk.Options{}))
	seen, params, pages := map[string]bool{}, "", 0
	for ; ; pages++ {
		page := call("skills/list", params).Result
		for _, s := range page.Skills {
			seen[s.URI] = true
		}
		if len(page.Skills) > 100 || page.TTLMs == nil {
			t.Errorf("a page has %d skills", len(page.Skills))
		}
		if page.NextCursor == "" {
			break
		}
		params = `"cursor":"` + page.NextCursor + `"`
	}
	if len(seen) != more+3 || pages != 3 {
		t.Errorf("%d skills, %d pages", len(seen), pages)
	}
	for _, cursor := range []string{`"100"`, `"x"`, `7`, `"` + strings.Repeat("A", 1<<16) + `"`} {
		if got := call("skills/list", `"cursor":`+cursor); got.Error.Code != -32602 {
			t.Errorf("cursor %.20s: %+v", cursor, got)
		}
	}
}

// A program whose files are not those of its contract serves none of them.
func TestSkillThatHasChanged(t *testing.T) {
	s := library(0)
	files := fstest.MapFS{"x/review/SKILL.md": &fstest.MapFile{Data: []byte("changed")}}
	s.AddSkills(files, "x")
	call := skillDoor(t, overStream(t, s, "2026-07-28", sdk.Options{}))
	for uri, want := range map[string]string{"skill://review/SKILL.md": "run go generate", "skill://review/empty.txt": "run go generate"} {
		if got := call("resources/read", `"uri":"`+uri+`"`); got.Error.Code != -32603 || !strings.Contains(got.Error.Message, want) {
			t.Errorf("%s: %+v", uri, got)
		}
	}
}
