package engine

import (
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

const (
	// maxSubscribed is the maximum number of resources to which a session or a request subscribes.
	maxSubscribed = 1000
	// maxHeld is the maximum size in bytes of the subscriptions of all clients, and perSubscription is the overhead that
	// is counted for each.
	maxHeld         = 64 << 20
	perSubscription = 256
)

// A hub tells clients about changes of resources. It runs the watcher of a resource while a client may be told.
type hub struct {
	trust *trust.Policy
	// find returns the name of the resource that a caller reads under a URI.
	find    func(caller handler.Caller, uri string) (name string, ok bool)
	sources map[string]*source // the resources with a watcher, keyed by name

	mu   sync.Mutex
	held int // size of the subscriptions of all clients
}

// A listener is a client that is told about changes. A slow client delays nobody else: one goroutine sends to it, and
// a resource that changes again while its notification waits has one notification.
type listener struct {
	hub    *hub
	caller handler.Caller
	// tell sends a notification about the resource with a URI, or about the list of resources for "". It may block.
	// After an error, the listener is told nothing more.
	tell func(uri string) error
	// ready reports whether tell can reach the client. Call wake when it can again.
	ready func() bool

	// Guarded by the lock of the hub.
	uris    map[string]*source
	lists   []*source // those of whose list changes the client is told
	queue   []string  // what the client has not been told, in order
	waiting map[string]bool
	sending bool // a goroutine sends, or the client cannot be told yet
	ended   bool
}

// newHub returns the hub of the contract, or nil if no resource has a watcher or the clients cannot subscribe.
func (e *Engine) newHub() *hub {
	if e.Replicated {
		return nil
	}
	var sources []*source
	for _, list := range [][]manifest.Resource{e.Contract.Resources, e.Contract.Templates} {
		for i := range list {
			r := &list[i]
			t := e.Offered[r.Name]
			if t == nil || t.Watcher() == nil {
				continue
			}
			s, err := newSource(r.AsTool(), r.URI, r.URITemplate, t.Watcher(), e.Log)
			if err != nil {
				e.Log.Error("a URI template cannot be used", "template", r.URITemplate, "error", err)
				continue
			}
			sources = append(sources, s)
		}
	}
	if sources == nil {
		return nil
	}
	return hubOf(e.Trust, func(caller handler.Caller, uri string) (string, bool) {
		o, _ := e.resourceAt(caller, uri)
		if o == nil {
			return "", false
		}
		return o.resource.Name, true
	}, sources)
}

func hubOf(policy *trust.Policy, find func(handler.Caller, string) (string, bool), sources []*source) *hub {
	h := &hub{trust: policy, find: find, sources: make(map[string]*source, len(sources))}
	for _, s := range sources {
		s.hub = h
		h.sources[s.contract.Name] = s
	}
	return h
}

// watches reports whether a caller can be told about changes.
func (h *hub) watches(caller handler.Caller) bool { return len(h.visible(caller)) > 0 }

// visible returns the sources that a caller may read.
func (h *hub) visible(caller handler.Caller) (all []*source) {
	for _, s := range h.sources {
		if h.trust.Sees(caller, s.contract) {
			all = append(all, s)
		}
	}
	return all
}

// source returns the watched resource that a caller may read under a URI. If there is none, known reports whether the
// caller may read the URI.
func (h *hub) source(caller handler.Caller, uri string) (s *source, known bool) {
	name, known := h.find(caller, uri)
	return h.sources[name], known
}

// listen returns a listener, which is told nothing before open is called.
func (h *hub) listen(caller handler.Caller, tell func(uri string) error, ready func() bool) *listener {
	return &listener{
		hub: h, caller: caller, tell: tell, ready: ready,
		uris: map[string]*source{}, waiting: map[string]bool{}, sending: true,
	}
}

var (
	errTooMany = rpc.BadRequest("a client can subscribe to at most " + strconv.Itoa(maxSubscribed) +
		" resources; end another subscription first")
	errAllTooMany = rpc.BadRequest("the clients of this server have too many subscriptions; try again later")
)

// subscribe subscribes to the resource with a URI.
func (l *listener) subscribe(uri string, s *source) *rpc.Error {
	h, size := l.hub, len(uri)+perSubscription
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case l.ended:
		return &rpc.Error{Code: rpc.CodeEnded, Message: "the session has ended"}
	case l.uris[uri] != nil:
		return nil
	case len(l.uris) >= maxSubscribed:
		return errTooMany
	case h.held+size > maxHeld:
		return errAllTooMany
	}
	h.held += size
	l.uris[uri] = s
	if s.told[uri] == nil {
		s.told[uri] = map[*listener]bool{}
	}
	s.told[uri][l] = true
	s.use()
	return nil
}

// unsubscribe ends the subscription to a URI. It returns false if there is none.
func (l *listener) unsubscribe(uri string) bool {
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	return l.drop(uri)
}

// drop is unsubscribe for callers that hold the lock.
func (l *listener) drop(uri string) bool {
	s := l.uris[uri]
	if s == nil {
		return false
	}
	l.hub.held -= len(uri) + perSubscription
	delete(l.uris, uri)
	if delete(s.told[uri], l); len(s.told[uri]) == 0 {
		delete(s.told, uri)
	}
	if l.waiting[uri] {
		delete(l.waiting, uri)
		l.queue = slices.DeleteFunc(l.queue, func(other string) bool { return other == uri })
	}
	s.leave()
	return true
}

// hearLists makes the client hear of changes of the list of resources, as far as its caller sees them.
func (l *listener) hearLists() {
	visible := l.hub.visible(l.caller)
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	if l.ended || l.lists != nil {
		return
	}
	l.lists = visible
	for _, s := range visible {
		s.lists[l] = true
		s.use()
	}
}

// end ends all subscriptions of the client.
func (l *listener) end() {
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	if l.ended {
		return
	}
	l.ended, l.queue = true, nil
	clear(l.waiting)
	for _, uri := range slices.Collect(maps.Keys(l.uris)) {
		l.drop(uri)
	}
	for _, s := range l.lists {
		delete(s.lists, l)
		s.leave()
	}
	l.lists = nil
}

// add notes that a client must be told about a URI, or about the list for "". The caller holds the lock.
func (l *listener) add(uri string) {
	if l.ended || l.waiting[uri] {
		return
	}
	l.waiting[uri] = true
	l.queue = append(l.queue, uri)
	l.send()
}

// send starts a goroutine that sends what waits, unless one runs. The caller holds the lock.
func (l *listener) send() {
	if !l.sending && len(l.queue) > 0 {
		l.sending = true
		go l.run()
	}
}

// open lets the client be told.
func (l *listener) open() {
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	l.sending = false
	l.send()
}

// wake sends what waits, because tell can reach the client again.
func (l *listener) wake() {
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	l.send()
}

// run sends what waits, until nothing does.
func (l *listener) run() {
	for {
		uri, ok := l.next()
		if !ok {
			return
		}
		if l.tell(uri) != nil {
			l.end()
		}
	}
}

// next returns what the client is told next, or false if that must wait.
func (l *listener) next() (uri string, ok bool) {
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	if len(l.queue) == 0 || !l.ready() {
		l.sending = false
		return "", false
	}
	uri, l.queue = l.queue[0], l.queue[1:]
	delete(l.waiting, uri) // a change while tell runs is another one
	return uri, true
}

// changed tells those who listen that the resource with a URI has changed, or that it was added to the list or removed.
func (s *source) changed(uri string, list bool) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if !list {
		for l := range s.told[uri] {
			l.add(uri)
		}
		return
	}
	for l := range s.lists {
		l.add("")
	}
}
