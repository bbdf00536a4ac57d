// Package effects has side effects before questions.
package effects

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"

	"example.com/m/effects/store"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/tool"
)

type Questions struct {
	Go    elicit.Confirm
	Again elicit.Confirm
}

func writes(ctx context.Context, ask Questions) error {
	if err := os.WriteFile("x", nil, 0o600); err != nil { // want `JP704: os.WriteFile runs before the question at line \d+, and again after its answer; move it after the last question, or into tool.Once`
		return err
	}
	if ok, err := ask.Go.Ask(ctx, "Go?"); err != nil || !ok {
		return err
	}
	return nil
}

func between(ctx context.Context, ask Questions) error {
	if ok, err := ask.Go.Ask(ctx, "Go?"); err != nil || !ok {
		return err
	}
	if err := exec.CommandContext(ctx, "true").Run(); err != nil { // want `JP704: exec.Cmd.Run runs before`
		return err
	}
	if ok, err := ask.Again.Ask(ctx, "Again?"); err != nil || !ok {
		return err
	}
	return nil
}

func loop(ctx context.Context, ask Questions, names []string) error {
	for _, name := range names {
		yes, err := ask.Go.For(name).Ask(ctx, "Go?")
		if err != nil {
			return err
		}
		if yes {
			if err := os.Remove(name); err != nil { // want `JP704: os.Remove runs before`
				return err
			}
		}
	}
	return nil
}

func helped(ctx context.Context, ask Questions, s *store.Store) error {
	if err := s.Save("x"); err != nil { // want `JP704: Save, which calls os.WriteFile, runs before`
		return err
	}
	return confirmed(ctx, ask)
}

func confirmed(ctx context.Context, ask Questions) error {
	if ok, err := ask.Go.Ask(ctx, "Go?"); err != nil || !ok {
		return err
	}
	return nil
}

func requests(ctx context.Context, ask Questions, client *http.Client) error {
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1", nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(post) // want `JP704: http.Client.Do with POST runs before`
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	return confirmed(ctx, ask)
}

func statements(ctx context.Context, ask Questions, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, "DELETE FROM things"); err != nil { // want `JP704: sql.DB.ExecContext runs before`
		return err
	}
	return confirmed(ctx, ask)
}

func opens(ctx context.Context, ask Questions) error {
	f, err := os.OpenFile("x", os.O_CREATE|os.O_WRONLY, 0o600) // want `JP704: os.OpenFile runs before`
	if err != nil {
		return err
	}
	defer f.Close()
	return confirmed(ctx, ask)
}

func literal(ctx context.Context, ask Questions, names []string) error {
	each := func(do func(string) error) error {
		for _, name := range names {
			if err := do(name); err != nil {
				return err
			}
		}
		return nil
	}
	if err := each(func(name string) error { return os.Mkdir(name, 0o700) }); err != nil { // want `JP704: os.Mkdir runs before`
		return err
	}
	return confirmed(ctx, ask)
}

func files(ctx context.Context, ask Questions, call *tool.Call) error {
	files, err := call.Files()
	if err != nil {
		return err
	}
	if err := files.WriteFile("x", nil, 0o600); err != nil { // want `JP704: access.FS.WriteFile runs before`
		return err
	}
	return confirmed(ctx, ask)
}

func turns(ctx context.Context, ask Questions, names []string) error {
	for range names {
		if err := both(ctx, ask); err != nil { // want `JP704: both, which calls os.WriteFile, runs between questions here` `JP713: `
			return err
		}
	}
	return nil
}

func both(ctx context.Context, ask Questions) error {
	if err := confirmed(ctx, ask); err != nil {
		return err
	}
	return os.WriteFile("x", nil, 0o600)
}

type service struct{ client *http.Client }

func (s service) send(ctx context.Context, method string) error {
	request, err := s.request(ctx, method)
	if err != nil {
		return err
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

func (s service) request(ctx context.Context, method string) (*http.Request, error) {
	return http.NewRequestWithContext(ctx, method, "http://127.0.0.1", nil)
}

func sends(ctx context.Context, ask Questions, s service) error {
	if err := s.send(ctx, http.MethodDelete); err != nil { // want `JP704: send, which calls http.Client.Do with DELETE, runs before`
		return err
	}
	return confirmed(ctx, ask)
}

func (s service) post(ctx context.Context, body io.Reader) (*http.Request, error) {
	if body == nil {
		return http.NewRequest(http.MethodPost, "http://127.0.0.1", http.NoBody)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1", body)
	return request.WithContext(ctx), err
}

func sendsEither(ctx context.Context, ask Questions, s service) error {
	request, err := s.post(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := s.client.Do(request); err != nil { // want `JP704: http.Client.Do with POST runs before`
		return err
	}
	return confirmed(ctx, ask)
}

func sendsLiteral(ctx context.Context, ask Questions, s service) error {
	if _, err := s.client.Do(&http.Request{Method: "PUT"}); err != nil { // want `JP704: http.Client.Do with PUT runs before`
		return err
	}
	return confirmed(ctx, ask)
}

func each(names []string, f func(string) error) error {
	for _, name := range names {
		if err := f(name); err != nil {
			return err
		}
	}
	return nil
}

func givenAway(ctx context.Context, ask Questions, names []string) error {
	if err := each(names, os.Remove); err != nil { // want `JP704: each, which calls os.Remove, runs before`
		return err
	}
	return confirmed(ctx, ask)
}

func takeTurns(ctx context.Context, ask Questions, names []string) error {
	remove := func(name string) error {
		yes, err := ask.Go.For(name).Ask(ctx, "Go?")
		if err != nil || !yes {
			return err
		}
		return os.Remove(name)
	}
	if err := each(names, remove); err != nil { // want `JP704: each, which calls os.Remove, runs between questions here`
		return err
	}
	return filepath.WalkDir(".", func(name string, _ fs.DirEntry, _ error) error { return remove(name) }) // want `JP704: WalkDir, which calls os.Remove, runs between questions here`
}

func iterates(ctx context.Context, ask Questions, names iter.Seq[string]) error {
	for name := range names { // want `JP704: .*os.Remove.* runs between questions here`
		if ok, err := ask.Go.For(name).Ask(ctx, "Go?"); err != nil || !ok {
			return err
		}
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

func iteratesAfter(ctx context.Context, ask Questions, names iter.Seq[string]) error {
	if err := os.Remove("x"); err != nil { // want `JP704: os.Remove runs before the question at line \d+`
		return err
	}
	for name := range names {
		if ok, err := ask.Go.For(name).Ask(ctx, "Go?"); err != nil || !ok {
			return err
		}
	}
	return nil
}

func captured(ctx context.Context, ask Questions) error {
	save := func() error { return os.WriteFile("x", nil, 0o600) }
	both := func() error {
		if err := save(); err != nil { // want `JP704: .*os.WriteFile,? runs before`
			return err
		}
		return confirmed(ctx, ask)
	}
	return both()
}

func returning(ctx context.Context, ask Questions, db *sql.DB) error {
	var id int
	if err := db.QueryRowContext(ctx, "INSERT INTO t VALUES (1) RETURNING id").Scan(&id); err != nil { // want `JP704: sql.DB.QueryRowContext runs before`
		return err
	}
	return confirmed(ctx, ask)
}

// The following code has no findings.

func fetches(ctx context.Context, ask Questions, s service) error {
	if err := s.send(ctx, http.MethodGet); err != nil {
		return err
	}
	return confirmed(ctx, ask)
}

func run(f func(string) error) error { return f("x") }

func onceEach(ctx context.Context, ask Questions, names []string, s service) error {
	if err := each(names, func(string) error { return confirmed(ctx, ask) }); err != nil { // want `JP713: `
		return err
	}
	return run(func(name string) error {
		if err := confirmed(ctx, ask); err != nil {
			return err
		}
		return os.Remove(name)
	})
}

func prepares(ctx context.Context, ask Questions, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS t (id INTEGER)"); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "SELECT\n\tload()"); err != nil {
		return err
	}
	return confirmed(ctx, ask)
}

func after(ctx context.Context, ask Questions) error {
	if err := confirmed(ctx, ask); err != nil {
		return err
	}
	return os.WriteFile("x", nil, 0o600)
}

func once(ctx context.Context, ask Questions, s *store.Store) error {
	_, err := tool.Once(ctx, "save", func(context.Context) (bool, error) { return true, s.Save("x") })
	if err != nil {
		return err
	}
	if _, err := s.Reserve(ctx); err != nil {
		return err
	}
	return confirmed(ctx, ask)
}

func reads(ctx context.Context, ask Questions, s *store.Store, client *http.Client, db *sql.DB) error {
	if _, err := os.ReadFile("x"); err != nil {
		return err
	}
	if _, err := s.Count(ctx); err != nil {
		return err
	}
	if _, err := db.Exec("PRAGMA foreign_keys = ON"); err != nil {
		return err
	}
	get, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1", nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(get)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	f, err := os.OpenFile("x", os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

func again(ctx context.Context, ask Questions) error {
	if err := os.MkdirAll("x", 0o700); err != nil {
		return err
	}
	if err := os.Chmod("x", 0o700); err != nil {
		return err
	}
	return confirmed(ctx, ask)
}

func otherWay(ctx context.Context, ask Questions, quick bool) error {
	if quick {
		return os.WriteFile("x", nil, 0o600)
	}
	return confirmed(ctx, ask)
}

func scratch(ctx context.Context, ask Questions) error {
	dir, err := os.MkdirTemp("", "x")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var b bytes.Buffer
	b.WriteString(dir)
	return confirmed(ctx, ask)
}
