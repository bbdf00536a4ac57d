package sdk

import "github.com/jptool/jptool/sdk/internal/engine"

// Engine returns the engine that answers clients on streams.
func (s *Server) Engine(o Options) (*engine.Engine, error) { return s.engine(o, false, false) }
