package engine

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// maxListens is the maximum number of subscriptions/listen requests of a client that run at the same time.
const maxListens = 128

var errTooManyListens = rpc.BadRequest("a client can have at most " + strconv.Itoa(maxListens) +
	" subscriptions/listen requests at a time; cancel one first, or listen to several resources in one request")

// Subscribes reports whether a caller can be told about changes of resources.
func (e *Engine) Subscribes(caller handler.Caller) bool { return e.hub != nil && e.hub.watches(caller) }

// A notice is the params of a notification about a change.
type notice struct {
	Meta json.RawMessage `json:"_meta,omitzero"`
	URI  string          `json:"uri,omitzero"`
}

// noteOf returns the notification about a change of a resource or, for "", of the list of resources.
func noteOf(uri string, meta json.RawMessage) (method string, params any) {
	switch {
	case uri != "":
		return rpc.NoteUpdated, notice{meta, uri}
	case meta != nil:
		return rpc.NoteResources, notice{Meta: meta}
	}
	return rpc.NoteResources, nil
}

// A filter is what a client wants to hear, or what the server agrees to tell it (MCP 2026-07-28, SubscriptionFilter).
type filter struct {
	Tools     bool     `json:"toolsListChanged,omitzero"`
	Prompts   bool     `json:"promptsListChanged,omitzero"`
	Resources bool     `json:"resourcesListChanged,omitzero"`
	URIs      []string `json:"resourceSubscriptions,omitempty"`
	TaskIDs   []string `json:"taskIds,omitempty"` // of the extension for tasks
}

// filter reads what the client wants to hear. Each URI occurs once.
func (r *Request) filter() (filter, *rpc.Error) {
	var f filter
	params, _ := rpc.Members(r.Message.Params)
	members, ok := rpc.Members(params["notifications"])
	if !ok || params["notifications"].Kind() != '{' {
		return f, rpc.Invalid(`"notifications" must be an object without duplicate names`)
	}
	for name, wanted := range map[string]*bool{
		"toolsListChanged": &f.Tools, "promptsListChanged": &f.Prompts, "resourcesListChanged": &f.Resources,
	} {
		switch value := members[name]; {
		case value.Kind() == 't':
			*wanted = true
		case value.Kind() != 'f' && !rpc.IsNull(value):
			return f, rpc.Invalid(`"` + name + `" must be true or false`)
		}
	}
	var err *rpc.Error
	if f.URIs, err = subscribedTo(members, "resourceSubscriptions", "URIs"); err == nil {
		f.TaskIDs, err = subscribedTo(members, "taskIds", "ids")
	}
	return f, err
}

// subscribedTo reads a list of what the client wants to hear of. Each element occurs once.
func subscribedTo(members map[string]jsontext.Value, name, what string) (all []string, err *rpc.Error) {
	list := members[name]
	if list.Kind() != '[' && !rpc.IsNull(list) {
		return nil, rpc.Invalid(`"` + name + `" must be a list of ` + what)
	}
	count, seen := 0, map[string]bool{}
	for value := range elements(list) {
		text, isString := rpc.Unquote(value)
		if !isString {
			return nil, rpc.Invalid(`"` + name + `" must be a list of ` + what)
		}
		if count++; count > maxSubscribed {
			return nil, errTooMany
		}
		if !seen[string(text)] {
			seen[string(text)] = true
			all = append(all, string(text))
		}
	}
	return all, nil
}

// elements yields the elements of a list, which is valid JSON.
func elements(list jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		if list.Kind() != '[' {
			return
		}
		d := jsontext.NewDecoder(bytes.NewBuffer(list), jsontext.AllowDuplicateNames(true))
		_, _ = d.ReadToken() // opens the list
		for d.PeekKind() != ']' {
			if value, err := d.ReadValue(); err != nil || !yield(value) {
				return
			}
		}
	}
}

// A subscription is a subscriptions/listen request that runs.
type subscription struct {
	r    *Request
	l    *listener // nil if the contract reports no changes
	meta json.RawMessage
	own  filter // what the contract tells the client
	// acknowledged is set if the client knows what it will hear.
	acknowledged bool
}

// meet reads what the client wants to hear, and subscribes to the resources of the contract. It returns the rest, which
// go-sdk may tell the client, without resources that the interceptors refuse.
func (r *Request) meet() (s *subscription, rest filter, err *rpc.Error) {
	wanted, err := r.filter()
	if err != nil {
		return nil, wanted, err
	}
	e, caller := r.session.engine, r.caller
	s = &subscription{r: r, meta: json.RawMessage(rawjson.Object([]rawjson.Member{
		{Name: rpc.KeySubscription, Value: slices.Clone(r.id)},
	}))}
	rest = wanted
	if s.own.TaskIDs, err = r.followed(wanted.TaskIDs); err != nil {
		return nil, wanted, err
	}
	rest.TaskIDs = nil
	if !e.Subscribes(caller) {
		rest.URIs = slices.DeleteFunc(wanted.URIs, func(uri string) bool { return r.extended && r.mayHear(uri) != nil })
		return s, rest, nil
	}
	s.l = e.hub.listen(caller, func(uri string) error {
		err := r.Notify(noteOf(uri, s.meta))
		if err != nil {
			r.Stop() // the client can subscribe again
		}
		return err
	}, func() bool { return true })
	if s.own.Resources = wanted.Resources; s.own.Resources {
		s.l.hearLists()
	}
	rest.URIs = nil
	for _, uri := range wanted.URIs {
		source, known := e.hub.source(caller, uri)
		if source == nil && (known || !r.extended) || r.mayHear(uri) != nil {
			continue
		}
		if source == nil {
			rest.URIs = append(rest.URIs, uri)
			continue
		}
		if err := s.l.subscribe(uri, source); err != nil {
			s.l.end()
			return nil, rest, err
		}
		s.own.URIs = append(s.own.URIs, uri)
	}
	s.l.wait(&r.span)
	return s, rest, nil
}

// empty reports whether the contract has nothing that the client wants to hear.
func (s *subscription) empty() bool {
	return !s.own.Resources && len(s.own.URIs) == 0 && len(s.own.TaskIDs) == 0
}

// end ends the subscription. Nothing is sent to the client afterwards, except the result.
func (s *subscription) end() {
	if s.l != nil {
		s.l.end()
	}
	s.r.silence()
}

// acknowledge tells the client what it will hear, which includes what go-sdk agrees to tell it.
func (s *subscription) acknowledge(added filter) error {
	all := filter{
		Tools: added.Tools, Prompts: added.Prompts, Resources: added.Resources || s.own.Resources,
		URIs: append(slices.Clip(s.own.URIs), added.URIs...), TaskIDs: s.own.TaskIDs,
	}
	err := s.r.Notify(rpc.NoteSubscribed, struct {
		Meta   json.RawMessage `json:"_meta"`
		Filter filter          `json:"notifications"`
	}{s.meta, all})
	s.acknowledged = err == nil
	if s.acknowledged && s.l != nil {
		s.l.open()
	}
	return err
}

// listen handles subscriptions/listen, which lasts until it is canceled. A subscription to nothing ends at once.
func (r *Request) listen() { r.hear((*subscription).acknowledgeOwn) }

// listenAll is like listen, but go-sdk also tells the client about what the program added.
func (r *Request) listenAll() { r.hear((*subscription).delegate) }

func (r *Request) hear(begin func(*subscription, filter) *rpc.Error) {
	if !r.out.CanSend() {
		r.fail(rpc.BadRequest("a subscription is a stream of events; the Accept header must allow text/event-stream"))
		return
	}
	s, rest, err := r.meet()
	if err != nil {
		r.fail(err)
		return
	}
	defer s.end()
	if err := begin(s, rest); err != nil {
		r.fail(err)
		return
	}
	if len(s.own.TaskIDs) > 0 {
		r.follow(s.own.TaskIDs, s.meta)
	}
	if !s.empty() {
		<-r.span.Done()
	}
	s.end()
	r.closed(s.meta)
}

func (s *subscription) acknowledgeOwn(filter) *rpc.Error {
	_ = s.acknowledge(filter{}) // the client may have disconnected, which cancels the request
	return nil
}

// delegate lets go-sdk serve the rest of the subscription, until it ends or there is no rest.
func (s *subscription) delegate(rest filter) *rpc.Error {
	r := s.r
	params := rawjson.Replace(r.Message.Params, "notifications", encoded(rest))
	_, err := r.delegate(&r.span, &ExtraCall{
		Method: r.Message.Method, Params: json.RawMessage(params),
		Acknowledge: func(notifications json.RawMessage) error {
			var added filter
			if err := json.Unmarshal(notifications, &added); err != nil {
				return err
			}
			return s.acknowledge(added)
		},
	})
	if err != nil && r.span.Err() == nil {
		return err
	}
	if !s.acknowledged { // canceled before
		s.own = filter{}
		return s.acknowledgeOwn(filter{})
	}
	return nil
}

// encoded returns the JSON text of a filter.
func encoded(f filter) jsontext.Value {
	text, _ := rawjson.Encode(f) // cannot fail: strings and bools
	return text
}

// closed answers a subscription that the server ends.
func (r *Request) closed(meta json.RawMessage) {
	meta = json.RawMessage(rawjson.Object(append(rawjson.Parts(jsontext.Value(meta)), rawjson.Member{
		Name: rpc.KeyServerInfo, Value: jsontext.Value(r.session.engine.wires.Info),
	})))
	r.result(rpc.AppenderFunc(func(w *rpc.Writer) {
		w.Value(map[string]any{"_meta": meta, "resultType": wires.Complete})
	}))
}
