package peer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// oldest is the first version of MCP. Sessions of all versions up to [Sessions] start with initialize.
const oldest = "2024-11-05"

// probing is the maximum time that the client waits for a response to the first request with
// version [Rounds] before it opens a session. Servers of older versions may ignore unknown methods.
const probing = 3 * time.Second

// longestHandshake is the maximum size of a server's description of itself, in bytes.
const longestHandshake = 1 << 20

// Error codes that are specific to version [Rounds] (MCP 2026-07-28, Error codes).
const (
	headerMismatch     = -32020
	missingCapability  = -32021
	unsupportedVersion = -32022
)

// lowestLevel is the level below which a server sends no log records.
const lowestLevel = "debug"

type implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version"`
	// Other holds the other members as a JSON object, or "".
	Other string `json:"-"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (i *implementation) UnmarshalJSON(data []byte) error {
	type plain implementation
	i.Other = string(Others(data, "name", "title", "version"))
	return json.Unmarshal(data, (*plain)(i))
}

type introduction struct {
	ProtocolVersion   string                    `json:"protocolVersion"`
	SupportedVersions []string                  `json:"supportedVersions"`
	Capabilities      map[string]jsontext.Value `json:"capabilities"`
	Instructions      string                    `json:"instructions"`
	ServerInfo        implementation            `json:"serverInfo"`
	Meta              struct {
		ServerInfo implementation `json:"io.modelcontextprotocol/serverInfo"`
	} `json:"_meta"`
}

// An unsupportedError lists the versions that a server supports instead of the requested one.
type unsupportedError struct {
	wanted string
	speaks []string
}

func (e *unsupportedError) Error() string {
	text := fmt.Sprintf("the server does not support MCP version %s", e.wanted)
	const limit = 5
	for i, v := range e.speaks[:min(len(e.speaks), limit)] {
		text += []string{"; it supports ", ", "}[min(i, 1)] + fmt.Sprintf("%.40q", v)
	}
	return text
}

// handshake negotiates the version, starting with the newest one. A server of an older version
// rejects the first request, ignores it, or exits (MCP 2026-07-28, Versioning and Compatibility).
func (s *Session) handshake(ctx context.Context) error {
	within := s.options.Limits.Silence
	switch s.options.Version {
	case Rounds:
		err := s.discover(ctx, within)
		if _, refused := errors.AsType[*RemoteError](err); refused {
			err = fmt.Errorf("%w: %w", &unsupportedError{wanted: Rounds}, err)
		}
		return err
	case Sessions:
		return s.openSession(ctx, Sessions, within)
	}
	end := time.Now().Add(within)
	probed := s.discover(ctx, min(probing, within/2))
	version := s.olderVersion(probed)
	if version == "" {
		return probed
	}
	if s.hasEnded(probed) { // the server exited after a request that it does not know
		if err := s.reconnect(); err != nil {
			return err
		}
	}
	err := s.openSession(ctx, version, time.Until(end))
	if errors.Is(probed, ErrSilent) && s.hasEnded(err) {
		// The server started slowly, and exited when it read the first request.
		if err = s.reconnect(); err == nil {
			err = s.openSession(ctx, version, within)
		}
	}
	if errors.Is(probed, ErrSilent) && isRefusal(err) && s.discover(ctx, time.Until(end)) == nil {
		return nil // the server supports the newest version, but was slow to start
	}
	if silent, ok := errors.AsType[*silentError](err); ok {
		silent.after = within
	}
	return err
}

// reconnect starts the server again.
func (s *Session) reconnect() error {
	_ = s.transport.close() // the server has exited
	t, err := s.connect()
	if err == nil {
		s.transport = t
	}
	return err
}

// isRefusal reports whether err is an error response from the server.
func isRefusal(err error) bool {
	_, byServer := errors.AsType[*RemoteError](err)
	_, byStatus := errors.AsType[*statusError](err)
	_, byVersion := errors.AsType[*unsupportedError](err)
	return byServer || byStatus || byVersion
}

// olderVersion returns the version to open a session with, after the first request with version [Rounds] has
// failed. It returns "" if a session would not help.
func (s *Session) olderVersion(err error) string {
	if e, ok := errors.AsType[*unsupportedError](err); ok {
		return newestOf(e.speaks)
	}
	if e, ok := errors.AsType[*RemoteError](err); ok && (e.Code == headerMismatch || e.Code == missingCapability) {
		return ""
	}
	if e, ok := errors.AsType[*statusError](err); ok && (e.status == http.StatusUnauthorized || e.status == http.StatusForbidden) {
		return ""
	}
	if isRefusal(err) || errors.Is(err, ErrSilent) || errors.Is(err, ErrMalformed) || errors.Is(err, errStreamEnded) || s.hasEnded(err) {
		return Sessions
	}
	return ""
}

// newestOf returns the newest listed version that has sessions, or "" if no listed version has sessions.
// If the server lists no versions, it returns the newest version that has sessions.
func newestOf(versions []string) string {
	if len(versions) == 0 {
		return Sessions
	}
	newest := ""
	for _, v := range versions {
		if hasSessions(v) {
			newest = max(newest, v)
		}
	}
	return newest
}

func hasSessions(version string) bool { return oldest <= version && version <= Sessions }

// hasEnded reports whether an error means that the server process has exited.
func (s *Session) hasEnded(err error) bool { return !s.transport.isHTTP() && errors.Is(err, ErrEnded) }

func (s *Session) capabilities() map[string]any {
	if s.options.Elicit == nil {
		return map[string]any{}
	}
	modes := map[string]any{"form": map[string]any{}}
	if s.options.URL {
		modes["url"] = map[string]any{}
	}
	return map[string]any{"elicitation": modes}
}

func (s *Session) client() map[string]any {
	return map[string]any{"name": "jptoolgen", "version": s.options.ClientVersion}
}

// introduce adds the data that a session sends with initialize to the _meta of a request (MCP 2026-07-28,
// Lifecycle).
func (s *Session) introduce(meta map[string]any) {
	meta["io.modelcontextprotocol/protocolVersion"] = Rounds
	meta["io.modelcontextprotocol/clientInfo"] = s.client()
	capabilities := s.capabilities()
	if s.options.Tasks {
		capabilities["extensions"] = map[string]any{tasksExtension: struct{}{}}
	}
	meta["io.modelcontextprotocol/clientCapabilities"] = capabilities
}

// setVersion sets the version of all further messages. "" means that the version is not known yet.
func (s *Session) setVersion(version string) {
	s.version = version
	s.transport.setVersion(version)
}

// discover introduces the client with server/discover (MCP 2026-07-28, Discovery). It tries again
// if the server rejects the version but lists it as supported.
func (s *Session) discover(ctx context.Context, within time.Duration) error {
	err := s.discoverOnce(ctx, within)
	if e, ok := errors.AsType[*unsupportedError](err); ok && slices.Contains(e.speaks, Rounds) {
		err = s.discoverOnce(ctx, within)
	}
	if err != nil {
		s.setVersion("")
	}
	return err
}

func (s *Session) discoverOnce(ctx context.Context, within time.Duration) error {
	s.setVersion(Rounds)
	result, err := s.request(ctx, "server/discover", params{}, within)
	if e, ok := errors.AsType[*RemoteError](err); ok && e.Code == unsupportedVersion {
		var data struct {
			Supported []string `json:"supported"`
		}
		_ = json.Unmarshal(e.Data, &data) // without data, the list of versions is empty
		return &unsupportedError{Rounds, data.Supported}
	}
	if err != nil {
		return err
	}
	in, err := s.readIntroduction(result)
	if err != nil {
		return err
	}
	if !slices.Contains(in.SupportedVersions, Rounds) {
		return &unsupportedError{Rounds, in.SupportedVersions}
	}
	s.accept(in, Rounds)
	return nil
}

// initialize opens a session with the given version, or with an older version that the server chooses (MCP
// 2025-11-25, Lifecycle).
func (s *Session) initialize(ctx context.Context, version string, within time.Duration) error {
	result, err := s.request(ctx, "initialize", params{
		ProtocolVersion: version, Capabilities: s.capabilities(), ClientInfo: s.client(),
	}, within)
	if err != nil {
		return err
	}
	in, err := s.readIntroduction(result)
	if err != nil {
		return err
	}
	if in.ProtocolVersion == "" {
		return fmt.Errorf("initialize: %w: it has no protocolVersion", ErrMalformed)
	}
	if in.ProtocolVersion == Rounds && s.options.Version == "" {
		s.setVersion(Rounds)
		s.accept(in, Rounds)
		return nil
	}
	if !hasSessions(in.ProtocolVersion) {
		return &unsupportedError{version, []string{in.ProtocolVersion}}
	}
	s.accept(in, in.ProtocolVersion)
	s.setVersion(in.ProtocolVersion)
	if err := s.notify(ctx, "notifications/initialized", nil); err != nil || s.options.Log == nil || in.Capabilities["logging"] == nil {
		return err
	}
	_, err = s.request(ctx, "logging/setLevel", params{Level: lowestLevel}, within)
	if refused, ok := errors.AsType[*RemoteError](err); ok {
		s.note("the server did not accept the log level: %s", refused.Message)
		return nil
	}
	return err
}

func (s *Session) readIntroduction(result jsontext.Value) (introduction, error) {
	if len(result) > longestHandshake {
		return introduction{}, fmt.Errorf("%w: a handshake of more than %s", ErrTooMuch, size(longestHandshake))
	}
	in, _, notes, err := loosely[introduction](result, true)
	if err != nil {
		return in, fmt.Errorf("%w: cannot parse the handshake: %s", ErrMalformed, reasonOf(err))
	}
	for _, note := range notes {
		s.note("the server's handshake: %s", note)
	}
	maps.DeleteFunc(in.Capabilities, func(_ string, v jsontext.Value) bool { return v.Kind() == 'n' || v.Kind() == 'f' })
	return in, nil
}

func (s *Session) accept(in introduction, version string) {
	info := cmp.Or(in.Meta.ServerInfo, in.ServerInfo)
	s.server = Server{
		Name: info.Name, Title: info.Title, Version: info.Version, Other: jsontext.Value(info.Other),
		Protocol: version, Instructions: in.Instructions, Capabilities: in.Capabilities,
	}
}
