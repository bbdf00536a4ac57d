package engine

import (
	"strings"

	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
)

// A method is what the engine knows of a method of MCP.
type method struct {
	name string
	// since and until are the first and the last version that has the method; "" means no limit.
	since, until string
	// opens means that the request needs neither an open session nor a description of its client.
	opens bool
	// admit accepts a request in a session. It is called with the lock of the session.
	admit func(*Session, *Request) *rpc.Error
	// subject returns what HTTP requests repeat in a header, or nil if the params lack it.
	subject func(*rpc.Message) (string, bool)
	// kind is the kind of the subject for interceptors; "" means that they do not see the request.
	kind string
	// runs means that run runs code of the program.
	runs bool
	// counts means that the request counts for the limit of concurrent calls.
	counts bool
	// needs reports whether a server has the method; nil means that every server has it.
	needs func(*offers) bool
	// find finds what the request is about, unless it is a tool.
	find func(*Request)
	run  func(*Request)
	// added, if set, replaces run while go-sdk serves what the program added. It runs code of the program.
	added func(*Request)
}

// methods are the methods that the engine serves.
var methods = []*method{
	{name: rpc.MethodCall, subject: subjectName, kind: "tool", runs: true, counts: true, run: (*Request).call, added: (*Request).callAround},
	{name: rpc.MethodList, run: (*Request).list, added: (*Request).listAll},
	{name: rpc.MethodInitialize, until: wires.Sessions, opens: true, admit: (*Session).open, run: (*Request).initialize},
	{name: rpc.MethodPing, until: wires.Sessions, opens: true, run: (*Request).succeed},
	{name: rpc.MethodDiscover, since: wires.Rounds, opens: true, admit: needsVersion, run: (*Request).discover},
	{name: rpc.MethodLevel, until: wires.Sessions, admit: (*Session).setLevel,
		run: (*Request).succeed, added: (*Request).tell},
	{name: rpc.MethodListen, since: wires.Rounds, admit: refuseListen, runs: true,
		run: (*Request).listen, added: (*Request).listenAll},
	{name: rpc.MethodPrompt, subject: subjectName, kind: "prompt", runs: true, counts: true, needs: (*offers).hasPrompts,
		find: (*Request).findPrompt, run: (*Request).get, added: (*Request).getAround},
	{name: rpc.MethodPrompts, needs: (*offers).hasPrompts, run: (*Request).listOffers, added: (*Request).listOffersAround},
	{name: rpc.MethodComplete, runs: true, counts: true, needs: (*offers).completes,
		find: (*Request).findCompletion, run: (*Request).complete, added: (*Request).completeAround},
	{name: rpc.MethodRead, subject: subjectURI, kind: "resource", runs: true, counts: true, needs: (*offers).hasResources,
		find: (*Request).findResource, run: (*Request).get, added: (*Request).getAround},
	{name: rpc.MethodResources, runs: true, counts: true, needs: (*offers).hasResources, run: (*Request).listOffers,
		added: (*Request).listOffersAround},
	{name: rpc.MethodTemplates, needs: (*offers).hasResources, run: (*Request).listOffers,
		added: (*Request).listOffersAround},
	{name: rpc.MethodSkills, since: wires.Rounds, admit: refuseInSessions,
		run: ofSkills((*Request).listSkills), added: ofSkills((*Request).listSkills)},
	{name: rpc.MethodSkill, since: wires.Rounds, admit: refuseInSessions,
		run: ofSkills((*Request).getSkill), added: ofSkills((*Request).getSkill)},
	{name: rpc.MethodDirectory, since: wires.Rounds, admit: refuseInSessions,
		run: ofSkills((*Request).readDirectory), added: ofSkills((*Request).readDirectory)},
	{name: rpc.MethodGetTask, since: wires.Rounds, admit: refuseTasks, subject: subjectTask, runs: true,
		run: (*Request).getTask},
	{name: rpc.MethodUpdateTask, since: wires.Rounds, admit: refuseTasks, subject: subjectTask, runs: true,
		run: (*Request).updateTask},
	{name: rpc.MethodCancelTask, since: wires.Rounds, admit: refuseTasks, subject: subjectTask, runs: true,
		run: (*Request).cancelTask},
	{name: rpc.MethodSubscribe, until: wires.Sessions, runs: true,
		run: (*Request).subscribe, added: (*Request).subscribeAll},
	{name: rpc.MethodUnsubscribe, until: wires.Sessions, run: (*Request).unsubscribe, added: (*Request).unsubscribeAll},
}

// other are methods that only go-sdk may know; note are notifications with the id of a request.
var (
	other = &method{run: (*Request).refuse, added: (*Request).relay}
	note  = &method{run: (*Request).refuse, added: (*Request).refuse}
)

// methodOf returns the method with a name.
func methodOf(name string) *method {
	for _, m := range methods {
		if m.name == name {
			return m
		}
	}
	if strings.HasPrefix(name, "notifications/") {
		return note
	}
	return other
}

// Subject returns the tool name, prompt name, resource URI or task id that a request is about. It returns false for
// other methods, for tasks of a server without tasks, and if the params lack the subject.
func (e *Engine) Subject(m *rpc.Message) (subject string, ok bool) {
	is := methodOf(m.Method)
	if is.subject == nil || e.board == nil && strings.HasPrefix(is.name, "tasks/") {
		return "", false
	}
	return is.subject(m)
}

func subjectName(m *rpc.Message) (string, bool) { return string(m.Name), m.Name != nil }

func subjectURI(m *rpc.Message) (string, bool) {
	text, isString := rpc.Unquote(m.URI)
	return string(text), isString
}

// gate rejects a request that the session cannot accept in its current state, and sets its client.
// Initialize opens a session (MCP up to 2025-11-25, Lifecycle); in later versions, every request
// names its version in _meta (MCP 2026-07-28, Versioning).
func (s *Session) gate(r *Request) *rpc.Error {
	m, is := r.Message, r.method
	version := m.Version()
	switch {
	case m.LacksMeta:
		return rpc.Invalid(`"_meta" must be an object`)
	case m.Named != nil && m.Named.Kind() != '"':
		return rpc.Invalid(`"` + rpc.KeyVersion + `" in "_meta" must be a string, such as "` + wires.Rounds + `"`)
	case m.Named != nil && !wires.Speaks(version):
		return wires.Unsupported(version)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Client, r.level = s.client, s.level
	switch {
	case wires.Stateless.In(version):
		return r.describe(version)
	case is.opens || s.client.Version != "":
		if is.admit != nil {
			return is.admit(s, r)
		}
		return nil
	case version != "":
		return rpc.BadRequest("call initialize first to open a session with version " + version)
	}
	return rpc.Invalid(`"_meta" must contain "` + rpc.KeyVersion + `", or call initialize first`)
}

// describe reads the client's description from the _meta of a request without a session.
func (r *Request) describe(version string) *rpc.Error {
	m, gone := r.Message, r.method.until != ""
	switch {
	case gone && r.method.opens:
		return rpc.NotFound("")
	case !m.IsCapable:
		return rpc.Invalid(`"_meta" must contain "` + rpc.KeyCapabilities + `", an object`)
	case gone:
		return rpc.NotFound("")
	}
	elicits, visits := shows(m.Elicitation)
	r.Client, r.level = wires.Client{Version: version, Elicits: elicits, Visits: visits}, levelByName(m.Level)
	return nil
}

// needsVersion refuses a method of versions without sessions.
func needsVersion(*Session, *Request) *rpc.Error {
	return rpc.Invalid(`"_meta" must contain "` + rpc.KeyVersion + `"`)
}

// refuseInSessions refuses a method that versions with sessions do not have.
func refuseInSessions(*Session, *Request) *rpc.Error { return rpc.NotFound("") }

func refuseListen(*Session, *Request) *rpc.Error {
	return rpc.NotFound("subscriptions are not supported in sessions")
}

// setLevel sets the minimum level of log notifications.
func (s *Session) setLevel(r *Request) *rpc.Error {
	params, _ := rpc.Members(r.Message.Params)
	level := levelByName(params["level"])
	if level == nil {
		return rpc.Invalid(`"level" must be ` + levelNames())
	}
	if !s.alone {
		s.level = level
	}
	return nil
}
