package streamable

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// post handles POST, which carries one message.
func (h *Handler) post(w http.ResponseWriter, r *http.Request, id string) {
	whole, stream := accepts(r.Header)
	switch {
	case !sendsJSON(r.Header):
		refuse(w, http.StatusUnsupportedMediaType, engine.BadRequest(`the Content-Type must be "`+typeJSON+`"`))
		return
	case isEncoded(r.Header):
		w.Header().Set("Accept-Encoding", "identity")
		refuse(w, http.StatusUnsupportedMediaType, engine.BadRequest("the body is compressed; send it without a Content-Encoding"))
		return
	case !whole && !stream:
		refuse(w, http.StatusNotAcceptable, engine.BadRequest(`the Accept header must allow "`+typeJSON+`" and "`+typeStream+`"`))
		return
	}
	x := &exchange{h: h, header: r.Header, w: w, streams: stream, whole: whole}
	text, err := x.body(r)
	if err != nil {
		x.unread(err)
		return
	}
	m, refused := engine.Read(engine.Trim(text))
	if refused != nil {
		x.refuse(refused)
		return
	}
	version, failure := versionOf(r.Header, m)
	if failure == nil && version == engine.Rounds && m.Method != "" {
		failure = checkHeaders(r.Context(), h.engine, r.Header, m)
	}
	x.version = version
	if failure != nil {
		x.refuse(engine.Refuse(m.ID, failure))
		return
	}
	done, crowded := busy(r)
	defer done()
	x.crowded = crowded
	h.take(x, r, id, m)
}

// take passes a message to its session.
func (h *Handler) take(x *exchange, r *http.Request, id string, m *engine.Message) {
	ctx, principal := r.Context(), h.principal(r)
	s, opening := (*engine.Session)(nil), (*session)(nil)
	switch {
	case id != "":
		x.session = h.sessions.enter(id, principal)
		if x.session == nil {
			answerJSON(x.w, http.StatusNotFound, &engine.Answer{ID: m.ID, Error: engine.BadRequest(noSession)})
			return
		}
		defer h.sessions.leave(x.session)
		// A broken connection does not cancel the call, because the client may resume the
		// stream.
		s, ctx = x.session.engine, context.WithoutCancel(ctx)
		x.version = s.Version()
	case m.Opens() && !h.Stateless:
		opening = h.open(principal)
		if opening == nil {
			x.w.Header().Set("Retry-After", "60")
			answerJSON(x.w, http.StatusServiceUnavailable, &engine.Answer{ID: m.ID, Error: engine.BadRequest("too many sessions are open")})
			return
		}
		defer h.sessions.leave(opening)
		s = opening.engine
	case m.Opens():
		s = h.engine.NewSession(nil, principal)
		defer s.End()
	default:
		s = h.engine.Alone(x.version, principal)
		defer s.End()
	}
	req, refused := s.Take(ctx, m, x)
	if opening != nil {
		if refused != nil {
			h.sessions.close(opening)
		} else {
			x.w.Header()[headerSession] = []string{opening.id}
		}
	}
	switch {
	case refused != nil:
		x.refuse(refused)
	case req == nil:
		answerEmpty(x.w, http.StatusAccepted)
	case x.session != nil && h.engine.Extended():
		x.pausable(req)
	default:
		x.run(req)
	}
}

// run runs a request and finishes the response.
func (x *exchange) run(req *engine.Request) {
	defer x.finish()
	if x.streams {
		x.mu.Lock()
		x.keeper = x.h.keepers.Get().(*keeper)
		x.keeper.start(x, x.h.StreamAfter)
		x.mu.Unlock()
	}
	if wait := req.Begin(); wait != nil && !wait() {
		return
	}
	if x.crowded {
		done := make(chan struct{})
		x.h.workers.Run(req, func(*engine.Request) { close(done) })
		<-done
		return
	}
	req.Run()
}

// pausable runs a request whose response may end before the request does. See
// [exchange.Pause].
func (x *exchange) pausable(req *engine.Request) {
	x.paused = make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		x.run(req)
	}()
	select {
	case <-done:
	case <-x.paused:
	}
}

// A body must arrive within bodyTime, plus one second per bodyRate bytes.
const (
	bodyTime = 10 * time.Second
	bodyRate = 16 << 10
	// bodyPiece is the read size. A larger Content-Length is not trusted before the data
	// arrives.
	bodyPiece = 64 << 10
)

func (x *exchange) body(r *http.Request) ([]byte, error) {
	limit := x.h.engine.MaxMessage
	if r.ContentLength > int64(limit) {
		return nil, engine.TooLong(limit)
	}
	size := int(r.ContentLength)
	if size < 0 || size > bodyPiece {
		size = bodyPiece
	}
	text := make([]byte, 0, size+1)
	control := http.NewResponseController(x.w)
	defer func() { _ = control.SetReadDeadline(time.Time{}) }() // not every ResponseWriter has deadlines
	for began, next := time.Now(), 0; ; {
		if len(text) >= next {
			next = len(text) + bodyPiece
			_ = control.SetReadDeadline(began.Add(bodyTime + time.Duration(len(text)/bodyRate)*time.Second))
		}
		if len(text) == cap(text) {
			size := min(4*cap(text), limit+1)
			if r.ContentLength >= int64(len(text)) {
				size = min(size, int(r.ContentLength)+1)
			}
			text = append(make([]byte, 0, size), text...)
		}
		n, err := r.Body.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case len(text) > limit:
			return nil, engine.TooLong(limit)
		case err == io.EOF:
			return text, nil
		case err != nil:
			return nil, err
		}
	}
}

// unread answers a request whose body could not be read.
func (x *exchange) unread(err error) {
	x.w.Header().Set("Connection", "close") // the rest of the body is not read
	if tooLong, ok := errors.AsType[*engine.Refusal](err); ok {
		answerJSON(x.w, http.StatusRequestEntityTooLarge, tooLong.Answer)
		return
	}
	refuse(x.w, http.StatusBadRequest, engine.BadRequest("the body could not be read, or arrived too slowly"))
}

// refuse answers a rejected message.
func (x *exchange) refuse(refused *engine.Refusal) {
	x.h.engine.Log.Warn("message refused", "reason", refused.Reason)
	if refused.Answer == nil {
		answerEmpty(x.w, http.StatusAccepted)
		return
	}
	answerJSON(x.w, statusOf(x.version, refused.Answer.Error), refused.Answer)
}
