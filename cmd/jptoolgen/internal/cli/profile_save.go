package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/profile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/internal/phrase"
)

func profileCreateCommand() command {
	var t targetFlags
	var force, project bool
	var notes, examples string
	validation := profile.Warn
	return command{
		name:  "profile create",
		usage: "jptoolgen profile create [flags] NAME TARGET [-- ARGUMENTS]",
		help: `Save a server under a name, with its current contract.

Secrets stay in the environment: write --header 'Authorization: Bearer ${TOKEN}', in
single quotes, and the variable is read each time the profile is used. --env NAME is
short for --env 'NAME=${NAME}'.

--examples FILE is a JSON array of calls that are known to work, such as
  [{"name": "first", "tool": "note_get", "arguments": {"id": "1"}, "contains": ["Groceries"]}]
with "answers" to questions by id, and "error" for a call that fails with that code.
"jptoolgen profile validate --examples" runs them.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&project, "project", false, "save the profile in the project, in .jptool/profiles")
			chooseVar(flags, &validation, "validation", profile.Validations(), "`action` if the server has changed when the profile is used: warn, error or ignore")
			flags.StringVar(&notes, "notes", "", "`text` about the server, for people and models")
			flags.StringVar(&examples, "examples", "", "save the example calls in the JSON `FILE`")
			flags.BoolVar(&force, "force", false, "replace an existing profile")
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, flags *pflag.FlagSet) error {
			list, more := sideAndMore(flags)
			name, err := profileName(list, "jptoolgen profile create NAME TARGET")
			if err == nil {
				err = unexpectedArgument(list[min(2, len(list)):])
			}
			if err != nil {
				return err
			}
			scope, store := profile.User, profilesIn(env)
			if project {
				scope = profile.Project
			}
			if _, _, err := store.Load(scope, name); !errors.Is(err, profile.ErrUnknown) && !force {
				return fmt.Errorf("profile @%s already exists (%s profile); add --force to replace it", name, scope)
			}
			made := &profile.Profile{Target: strings.Join(list[1:], ""), Arguments: more, Validation: validation, Notes: notes}
			p := savedProfile{made, nil, store, name, scope}
			if err := t.describe(env, p.Profile, scope, store); err != nil {
				return err
			}
			if p.Examples, err = readExamples(env, examples); err != nil {
				return err
			}
			if err := p.Check(); err != nil {
				return err
			}
			if p.target, err = p.Open(name, store.Base(scope), os.LookupEnv, formerTargets{}); err == nil {
				err = t.fit(p.target.Kind)
			}
			if err == nil {
				err = t.readContract(ctx, env, p.Profile, p.target)
			}
			if err != nil {
				return err
			}
			if err := store.Save(scope, name, p.Profile); err != nil {
				return err
			}
			fmt.Fprintf(env.Stderr, "jptoolgen: saved @%s (%s profile) with %s\n", name, scope, phrase.Plural(len(p.Contract.Tools), "tool"))
			return nil
		},
	}
}

// describe adds the location of the server and the values of the flags to a profile.
func (f *targetFlags) describe(env Env, p *profile.Profile, scope profile.Scope, store *profile.Store) error {
	if strings.HasPrefix(p.Target, "@") {
		return fmt.Errorf("%s is already a profile", p.Target)
	}
	t, err := target.Parse(env.Dir, p.Target, p.Arguments, formerTargets{})
	if err != nil {
		return err
	}
	if t.Kind != target.URL {
		p.Dir = env.Dir
	}
	if rel, err := filepath.Rel(store.Base(scope), env.Dir); scope == profile.Project && p.Dir != "" && err == nil {
		p.Dir = filepath.ToSlash(rel)
	}
	p.Env, p.Headers = map[string]string{}, map[string]string{}
	for _, v := range f.env {
		key, value, err := parseEnv(v)
		if err != nil {
			return err
		}
		p.Env[key] = value
	}
	headers, err := target.ParseHeaders(f.headers)
	for _, h := range headers {
		p.Headers[h.Name] = h.Value
	}
	return err
}

// readContract reads the contract of a profile's server into the profile.
func (f *targetFlags) readContract(ctx context.Context, env Env, p *profile.Profile, t *target.Target) error {
	if err := f.checkTimeout(); err != nil {
		return err
	}
	surface, err := f.opener(env).Surface(ctx, t)
	if err != nil {
		return err
	}
	env.note(surface.Notes...)
	p.Contract, p.Whole, p.Updated = surface.Contract, surface.Whole, time.Now().UTC().Truncate(time.Second)
	p.Contract.Hash, err = lock.Sum(p.Contract)
	return err
}

// compare reads the current contract of a profile's server, and prints what changed since the profile was saved.
func (f *targetFlags) compare(
	ctx context.Context, env Env, p *savedProfile, format breaking.Format,
) (*profile.Profile, *breaking.Report, error) {
	var err error
	if p.target, err = p.store.Target(p.scope, p.name, p.Profile); err != nil {
		return nil, nil, err
	}
	now := *p.Profile
	if err := f.readContract(ctx, env, &now, p.target); err != nil {
		return nil, nil, err
	}
	report, err := changes(env, p.Profile, savedSide(&now))
	if err != nil {
		return nil, nil, err
	}
	return &now, report, breaking.Print(env.Stdout, report, nil, format, breaking.Source{Program: programVersion()})
}

func readExamples(env Env, name string) ([]profile.Example, error) {
	if name == "" {
		return nil, nil
	}
	data, err := shape.File(name, env.Dir)
	if err != nil {
		return nil, fmt.Errorf("--examples: %w", err)
	}
	var list []profile.Example
	if err := json.Unmarshal(data, &list, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("--examples %s: must be a JSON array of objects with name, tool, arguments, answers, contains and error: %w", name, err)
	}
	return list, nil
}

func profileValidateCommand() command {
	var t targetFlags
	var scope scopeFlags
	var examples bool
	format := breaking.Text
	return command{
		name:  "profile validate",
		usage: "jptoolgen profile validate [flags] NAME",
		help: `Report what has changed in a server since its profile was saved. The headers and the
environment of the profile are used. The exit status is 1 if a change is breaking or an
example fails.`,
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&examples, "examples", false, "also run the example calls")
			chooseVar(flags, &format, "format", breaking.Formats(), "output format: text, json, markdown, github or sarif")
			scope.define(flags)
			t.defineForProfile(flags)
		},
		run: func(ctx context.Context, env Env, flags *pflag.FlagSet) error {
			p, err := loadProfile(env, flags, scope, "jptoolgen profile validate NAME")
			if err != nil {
				return err
			}
			_, report, err := t.compare(ctx, env, &p, format)
			if err != nil {
				return err
			}
			passed := true
			if examples {
				if passed, err = runExamples(ctx, env, t.opener(env), p.target, p.Examples); err != nil {
					return err
				}
			}
			return findingsIf(report.Unallowed() || !passed)
		},
	}
}

func profileUpdateCommand() command {
	var t targetFlags
	var scope scopeFlags
	return command{
		name:  "profile update",
		usage: "jptoolgen profile update [flags] NAME",
		help: `Save the current contract of a server in its profile. The changes are shown, and saved
after confirmation. Without a terminal, --yes is required. The exit status is 1 if you
decline. To change the headers or the environment of the profile, replace it with
"jptoolgen profile create --force".`,
		flags: func(flags *pflag.FlagSet) {
			scope.define(flags)
			t.defineForProfile(flags)
		},
		run: func(ctx context.Context, env Env, flags *pflag.FlagSet) error {
			p, err := loadProfile(env, flags, scope, "jptoolgen profile update NAME")
			if err != nil {
				return err
			}
			now, report, err := t.compare(ctx, env, &p, breaking.Text)
			if err != nil {
				return err
			}
			if len(report.Changes) == 0 && p.Whole == now.Whole {
				return nil
			}
			if yes, err := t.confirm(ctx, env, "Save the current contract?"); err != nil || !yes {
				return cmp.Or(err, findingsIf(true))
			}
			if err := p.store.Save(p.scope, p.name, now); err != nil {
				return err
			}
			fmt.Fprintf(env.Stderr, "jptoolgen: updated @%s (%s profile)\n", p.name, p.scope)
			return nil
		},
	}
}

// confirm asks the user at the terminal, unless --yes is set.
func (f *targetFlags) confirm(ctx context.Context, env Env, question string) (bool, error) {
	if f.yes {
		return true, nil
	}
	ask := env.asker()
	if ask == nil {
		return false, errors.New("cannot ask you to confirm the update without a terminal; add --yes")
	}
	return ask.Confirm(ctx, question)
}
