package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// The maximum number of skills in a page, and the approximate maximum of its size in bytes. A page has at least one.
const (
	maxSkills   = 100
	maxSkillLen = 256 << 10
)

// skills are the skills of a contract.
type skills struct {
	entries []skillEntry // in the order of the contract
	byURI   map[string]int
	dirs    map[string][]child // the children of each directory, by URI
}

// A skillEntry is the encoded entry of a skill.
type skillEntry []byte

// A child is a file or a directory in a directory.
type child struct{ uri, name, mime string }

const mimeDirectory = "inode/directory"

// readSkills returns the skills of a contract. A server whose skills nobody asks for never calls it.
func readSkills(c *manifest.Server) *skills {
	all := &skills{byURI: map[string]int{}, dirs: map[string][]child{}}
	children := map[string]map[string]child{}
	add := func(dir string, of child) {
		if children[dir] == nil {
			children[dir] = map[string]child{}
		}
		children[dir][of.name] = of
	}
	for i := range c.Skills {
		s := &c.Skills[i]
		all.byURI[s.URI(manifest.SkillFileName)] = i
		all.entries = append(all.entries, entryOf(s))
		for uri, f := range s.URIs() {
			if f != nil {
				add(path.Dir(strings.TrimPrefix(uri, skillScheme)), child{uri, path.Base(uri), mimeOf(f.Path)})
			}
		}
	}
	for dir := range maps.Clone(children) { // each directory is a child of the next
		for ; dir != "."; dir = path.Dir(dir) {
			add(path.Dir(dir), child{skillScheme + dir, path.Base(dir), mimeDirectory})
		}
	}
	for dir, of := range children {
		if dir == "." { // has no URI
			continue
		}
		all.dirs[skillScheme+dir] = slices.SortedFunc(maps.Values(of), func(x, y child) int { return strings.Compare(x.name, y.name) })
	}
	return all
}

const skillScheme = "skill://"

// entryOf returns the entry of a skill in skills/list.
func entryOf(s *manifest.Skill) skillEntry {
	entry, _ := rpc.Encoded(rpc.AppenderFunc(func(w *rpc.Writer) { // cannot fail: strings, numbers, and JSON of the contract
		w.Begin('{').Name("uri").String(s.URI(manifest.SkillFileName))
		w.Name("frontmatter").Bytes(s.Frontmatter)
		w.Name("resources").Begin('[')
		for i := range s.Files {
			f := &s.Files[i]
			w.Begin('{').Name("uri").String(s.URI(f.Path))
			w.Name("digest").String(f.Digest)
			w.Name("size").Raw(strconv.Itoa(f.Size))
			w.End('}')
		}
		w.End(']')
		w.End('}')
	}))
	return skillEntry(entry)
}

// mimeOf returns the MIME type of a file, which does not depend on the system.
func mimeOf(name string) string {
	if known := mimeTypes[strings.ToLower(path.Ext(name))]; known != "" {
		return known
	}
	return "text/plain"
}

var mimeTypes = map[string]string{
	".md": "text/markdown", ".html": "text/html", ".css": "text/css", ".csv": "text/csv", ".js": "text/javascript",
	".json": "application/json", ".yaml": "application/yaml", ".yml": "application/yaml", ".xml": "application/xml",
	".py": "text/x-python", ".sh": "text/x-shellscript", ".svg": "image/svg+xml", ".png": "image/png",
	".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".pdf": "application/pdf",
	".zip": "application/zip", ".gz": "application/gzip", ".wasm": "application/wasm", ".bin": "application/octet-stream",
}

// addSkills adds the files of skills to the resources of the contract. Those whose clients do not know skills find each
// in resources/list.
func (all *offers) addSkills(c *manifest.Server, files fs.FS) {
	made := map[string]*offer{}
	for i := range c.Skills {
		s := &c.Skills[i]
		for j := range s.Files {
			f := &s.Files[j]
			r := &manifest.Resource{URI: s.URI(f.Path), Name: path.Base(f.Path), MIMEType: mimeOf(f.Path)}
			if all.static[r.URI] == nil { // otherwise, it may be a file of a skill that has this one in its directory
				o := &offer{tool: skillFile(files, path.Join(s.Path, f.Path), f), view: r.AsTool(), resource: r}
				o.view.Name = r.URI // options and hidden tools do not apply to it
				all.static[r.URI], made[r.URI] = o, o
			}
			if o := made[r.URI]; o != nil && f.Path == manifest.SkillFileName {
				o.resource.Name, o.resource.Description = path.Base(s.Path), descriptionOf(s)
				o.view.Description = o.resource.Description
				all.resources = append(all.resources, o)
			}
		}
	}
}

// skillFile returns the handler that reads a file of a skill.
func skillFile(files fs.FS, name string, f *manifest.SkillFile) *handler.Tool {
	return handler.New(path.Base(name),
		handler.Codec[handler.None, handler.None, handler.None, content.Resource]{Kind: handler.Resource, Result: handler.Content},
		func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (content.Resource, error) {
			data, err := fs.ReadFile(files, name)
			// The client checks the digest. A program that was built with other files must not serve them.
			if sum := sha256.Sum256(data); err != nil || "sha256:"+hex.EncodeToString(sum[:]) != f.Digest {
				return content.Resource{}, fmt.Errorf("the file %s of a skill is not that of the contract: run go generate and rebuild the program", name)
			}
			if utf8.Valid(data) {
				return content.Resource{Text: string(data)}, nil
			}
			return content.Resource{Blob: data}, nil
		})
}

// ofSkills returns a function that serves a request with run if the contract has skills. Otherwise, go-sdk may serve it.
func ofSkills(run func(*Request)) func(*Request) {
	return func(r *Request) {
		switch {
		case len(r.session.engine.Contract.Skills) > 0:
			run(r)
		case r.extended:
			r.relay()
		default:
			r.refuse()
		}
	}
}

// listSkills handles skills/list.
func (r *Request) listSkills() {
	all := r.session.engine.skills()
	from, err := r.skillsFrom(len(all.entries))
	if err != nil {
		r.fail(err)
		return
	}
	r.result(rpc.AppenderFunc(func(w *rpc.Writer) {
		r.Open(w, wires.Complete)
		w.Name("skills").Begin('[')
		next, size := from, 0
		for ; next < len(all.entries); next++ {
			size += len(all.entries[next])
			if next > from && (next-from == maxSkills || size > maxSkillLen) {
				break
			}
			w.Comma()
			w.Bytes(all.entries[next])
		}
		w.End(']')
		if next < len(all.entries) {
			w.Name("nextCursor").String(r.skillsCursor(next))
		}
		r.endSkills(w)
	}))
}

// endSkills appends what every result about skills ends with.
func (r *Request) endSkills(w *rpc.Writer) {
	wires.Freshness{Private: r.cacheScope(false) == "private"}.AppendTo(w)
	r.Meta(w, r.session.engine.wires.Info, nil)
	w.End('}')
}

// skillsPurpose is the purpose of cursors of skills/list.
func (r *Request) skillsPurpose() []byte {
	return []byte("cursor of skills/list\x00" + r.session.engine.Contract.Name + "\x00" + r.caller.Subject)
}

// skillsCursor returns the cursor for the page that begins at a skill.
func (r *Request) skillsCursor(from int) string {
	position := strconv.Itoa(from)
	if cursors := r.session.engine.Rules.Cursors; cursors != nil {
		return cursors().Mark([]byte(position), r.skillsPurpose())
	}
	return position
}

// skillsFrom returns the first skill of the requested page.
func (r *Request) skillsFrom(count int) (int, *rpc.Error) {
	text, err := r.cursor()
	if err != nil || text == "" {
		return 0, err
	}
	position := []byte(text)
	if cursors := r.session.engine.Rules.Cursors; cursors != nil {
		var failed error
		if position, failed = cursors().OpenMark(text, r.skillsPurpose()); failed != nil {
			return 0, rpc.Invalid(`invalid "cursor"; omit it to get the first page`)
		}
	}
	from, failed := strconv.Atoi(string(position))
	if failed != nil || from < 0 || from >= count {
		return 0, rpc.Invalid(`invalid "cursor"; omit it to get the first page`)
	}
	return from, nil
}

// cursor returns the cursor of a request, or "".
func (r *Request) cursor() (string, *rpc.Error) {
	params, _ := rpc.Members(r.Message.Params)
	cursor, isString := rpc.Unquote(params["cursor"])
	if !isString && !rpc.IsNull(params["cursor"]) {
		return "", rpc.Invalid(`"cursor" must be a string`)
	}
	return string(cursor), nil
}

// getSkill handles skills/get.
func (r *Request) getSkill() {
	uri, err := r.subscribed()
	if err != nil {
		r.fail(err)
		return
	}
	all := r.session.engine.skills()
	i, ok := all.byURI[uri]
	if !ok {
		r.fail(rpc.Invalid("there is no skill at " + strconv.Quote(phrase.Clip(uri, rpc.MaxShown)) +
			"; skills/list has the URIs of all skills"))
		return
	}
	r.result(rpc.AppenderFunc(func(w *rpc.Writer) {
		r.Open(w, wires.Complete)
		w.Name("skill").Bytes(all.entries[i])
		r.endSkills(w)
	}))
}

// readDirectory handles resources/directory/read. The only page contains all children.
func (r *Request) readDirectory() {
	uri, err := r.subscribed()
	if err == nil {
		var cursor string
		if cursor, err = r.cursor(); cursor != "" {
			err = rpc.Invalid(`invalid "cursor"`)
		}
	}
	if err != nil {
		r.fail(err)
		return
	}
	children, ok := r.session.engine.skills().dirs[uri]
	if !ok {
		r.fail(rpc.Invalid(strconv.Quote(phrase.Clip(uri, rpc.MaxShown)) + " is not a directory"))
		return
	}
	r.result(rpc.AppenderFunc(func(w *rpc.Writer) {
		r.Open(w, wires.Complete)
		w.Name("resources").Begin('[')
		for _, c := range children {
			w.Begin('{').Name("uri").String(c.uri)
			w.Name("name").String(c.name)
			w.Name("mimeType").String(c.mime)
			w.End('}')
		}
		w.End(']')
		r.Meta(w, r.session.engine.wires.Info, nil)
		w.End('}')
	}))
}

// descriptionOf returns the description in the front matter of a skill.
func descriptionOf(s *manifest.Skill) string {
	return rawjson.Text(rawjson.Get(s.Frontmatter, "description"))
}
