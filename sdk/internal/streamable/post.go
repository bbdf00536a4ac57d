package streamable

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// post handles POST, which carries one message.
func (h *Handler) post(w http.ResponseWriter, r *http.Request, caller handler.Caller, id string) {
	whole, stream := accepts(r.Header)
	switch coding := r.Header.Get("Content-Encoding"); {
	case !sendsJSON(r.Header):
		refuse(w, http.StatusUnsupportedMediaType, rpc.BadRequest(`the Content-Type must be "`+typeJSON+`"`))
		return
	case coding != "" && !strings.EqualFold(coding, "identity"):
		// A proxy that does not decode the body could not check the message that the server would read.
		w.Header().Set("Accept-Encoding", "identity")
		refuse(w, http.StatusUnsupportedMediaType, rpc.BadRequest("the body is compressed; send it without a Content-Encoding"))
		return
	case !whole && !stream:
		refuse(w, http.StatusNotAcceptable, rpc.BadRequest(`the Accept header must allow "`+typeJSON+`" and "`+typeStream+`"`))
		return
	}
	text, err := h.body(w, r)
	if err != nil {
		w.Header().Set("Connection", "close") // the rest of the body is not read
		if tooLong, ok := errors.AsType[*rpc.Refusal](err); ok {
			answerJSON(w, http.StatusRequestEntityTooLarge, tooLong.Answer)
			return
		}
		refuse(w, http.StatusBadRequest, rpc.BadRequest("the body could not be read, or arrived too slowly"))
		return
	}
	m, refused := rpc.Read(rpc.Trim(text))
	if refused != nil {
		h.refuse(w, r, "", refused)
		return
	}
	version, failure := versionOf(r.Header, m)
	if failure == nil && version == wires.Rounds && m.Method != "" {
		failure = checkHeaders(r.Context(), h.engine, caller, r.Header, m)
	}
	if failure != nil {
		h.refuse(w, r, version, rpc.Refuse(m.ID, failure))
		return
	}
	done, shared := markBusy(r)
	defer done()
	x := &response{h: h, request: r, version: version, to: &sink{w: w}, streams: stream, whole: whole, shared: shared}
	h.take(x, w, r, caller, id, m)
}

// take passes a message to its session.
func (h *Handler) take(x *response, w http.ResponseWriter, r *http.Request, caller handler.Caller, id string, m *rpc.Message) {
	ctx := r.Context()
	s, opening := (*engine.Session)(nil), (*session)(nil)
	switch {
	case id != "":
		x.session = h.sessions.enter(id, caller)
		if x.session == nil {
			answerJSON(w, http.StatusNotFound, &rpc.Answer{ID: m.ID, Error: rpc.BadRequest(noSession)})
			return
		}
		defer x.leave()
		// After a broken connection, the client may resume the stream, so the call continues.
		s, ctx, x.client = x.session.engine, context.WithoutCancel(ctx), ctx
		x.version = s.Version()
	case m.Opens() && !h.Stateless:
		opening = h.open(caller)
		if opening == nil {
			w.Header().Set("Retry-After", "60")
			answerJSON(w, http.StatusServiceUnavailable, &rpc.Answer{ID: m.ID, Error: rpc.BadRequest("too many sessions are open")})
			return
		}
		defer h.sessions.release(opening)
		s = opening.engine
	case m.Opens():
		s = h.engine.NewSession(nil, caller)
		defer s.End()
	default:
		s = h.engine.Alone(x.version, caller)
		defer s.End()
	}
	req, refused := s.Take(ctx, caller, m, x)
	if opening != nil {
		if refused != nil {
			h.sessions.close(opening)
		} else {
			w.Header()[headerSession] = []string{opening.id}
		}
	}
	switch {
	case refused != nil:
		h.refuse(w, r, x.version, refused)
	case req == nil:
		answerEmpty(w, http.StatusAccepted)
	default:
		x.run(req)
	}
}

// run runs a request. It returns when the response has ended or been paused.
func (x *response) run(req *engine.Request) {
	if x.streams {
		x.mu.Lock()
		x.keeper = x.h.keepers.Get().(*keeper)
		x.keeper.of.Store(x)
		x.keeper.timer.Reset(x.h.StreamAfter)
		x.mu.Unlock()
	}
	if wait := req.Begin(); wait != nil && !wait() {
		x.end()
		return
	}
	if x.session != nil && req.MayPause() {
		x.paused = make(chan struct{})
	} else if !x.shared {
		defer x.end()
		req.Run()
		return
	}
	done := make(chan struct{})
	x.h.workers.Run(req, func(*engine.Request) {
		x.end()
		close(done)
	})
	select {
	case <-done:
	case <-x.paused:
	}
}

// A body must arrive within bodyTime, plus one second per bodyRate bytes.
const (
	bodyTime = 10 * time.Second
	bodyRate = 16 << 10
	// bodyPiece is the read size. A larger Content-Length is not trusted before the data arrives.
	bodyPiece = 64 << 10
)

func (h *Handler) body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	limit := h.engine.MaxMessage
	if r.ContentLength > int64(limit) {
		return nil, rpc.TooLong(limit)
	}
	text := make([]byte, 0, min(uint64(r.ContentLength), bodyPiece)+1) // as a uint64, the unknown length -1 is the maximum
	control := http.NewResponseController(w)
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
			return nil, rpc.TooLong(limit)
		case err == io.EOF:
			return text, nil
		case err != nil:
			return nil, err
		}
	}
}

func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, version string, refused *rpc.Refusal) {
	h.engine.Log.Warn("message rejected", "reason", refused.Reason)
	if refused.Answer == nil {
		answerEmpty(w, http.StatusAccepted)
		return
	}
	if scopes := refused.Answer.Error.Scopes; scopes != nil && h.Challenge != nil {
		w.Header().Set("Www-Authenticate", h.Challenge(r, scopes))
	}
	answerJSON(w, statusOf(version, refused.Answer.Error), refused.Answer)
}
