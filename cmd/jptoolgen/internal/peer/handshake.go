package peer

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

type implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version"`
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

// handshake finds out who the server is, by the version that is wanted. Where none is, a session comes
// first: servers of old give up at, or never answer, a request that they do not know, and many that know
// the newer version cannot ask by it.
func (s *Session) handshake(ctx context.Context) error {
	if s.options.Version == Rounds {
		err := s.discover(ctx)
		if _, refused := errors.AsType[*RemoteError](err); refused {
			err = fmt.Errorf("the server does not speak version %s of MCP: %w", Rounds, err)
		}
		return err
	}
	err := s.initialize(ctx)
	if _, refused := errors.AsType[*RemoteError](err); refused && s.options.Version == "" {
		if s.discover(ctx) == nil {
			return nil
		}
	}
	return err
}

func (s *Session) capabilities() map[string]any {
	if s.options.Elicit == nil {
		return map[string]any{}
	}
	return map[string]any{"elicitation": map[string]any{"form": map[string]any{}}}
}

func (s *Session) client() map[string]any {
	return map[string]any{"name": "jptoolgen", "version": s.options.ClientVersion}
}

// introduce adds to the _meta of a request what a session would have been opened with (MCP 2026-07-28,
// Lifecycle).
func (s *Session) introduce(meta map[string]any) {
	meta["io.modelcontextprotocol/protocolVersion"] = Rounds
	meta["io.modelcontextprotocol/clientInfo"] = s.client()
	meta["io.modelcontextprotocol/clientCapabilities"] = s.capabilities()
}

// discover introduces by server/discover (MCP 2026-07-28, Discovery).
func (s *Session) discover(ctx context.Context) error {
	s.transport.agreed(Rounds)
	s.server.Protocol = Rounds
	result, err := s.request(ctx, "server/discover", params{}, s.options.Limits.Silence)
	var in introduction
	if err == nil {
		in, err = readIntroduction(result)
	}
	knows := false
	for _, v := range in.SupportedVersions {
		knows = knows || v == Rounds
	}
	if err == nil && !knows {
		err = fmt.Errorf("%w: it does not speak version %s of MCP", ErrMalformed, Rounds)
	}
	if err != nil {
		s.transport.agreed("")
		s.server.Protocol = ""
		return err
	}
	s.accept(in, in.Meta.ServerInfo, Rounds)
	return nil
}

// initialize opens a session (MCP 2025-11-25, Lifecycle).
func (s *Session) initialize(ctx context.Context) error {
	result, err := s.request(ctx, "initialize", params{
		ProtocolVersion: Sessions, Capabilities: s.capabilities(), ClientInfo: s.client(),
	}, s.options.Limits.Silence)
	if err != nil {
		return err
	}
	in, err := readIntroduction(result)
	if err != nil {
		return err
	}
	if in.ProtocolVersion > Sessions || in.ProtocolVersion < "2024-11-05" {
		return fmt.Errorf("%w: it speaks version %.40q of MCP, and was asked for %s", ErrMalformed, in.ProtocolVersion, Sessions)
	}
	s.accept(in, in.ServerInfo, in.ProtocolVersion)
	s.transport.agreed(in.ProtocolVersion)
	return s.notify(ctx, "notifications/initialized", nil)
}

func readIntroduction(result jsontext.Value) (introduction, error) {
	var in introduction
	if err := json.Unmarshal(result, &in); err != nil {
		return in, fmt.Errorf("%w: its introduction: %w", ErrMalformed, err)
	}
	return in, nil
}

func (s *Session) accept(in introduction, info implementation, version string) {
	s.server = Server{
		Name: info.Name, Title: info.Title, Version: info.Version,
		Protocol: version, Instructions: in.Instructions, Capabilities: in.Capabilities,
	}
}
