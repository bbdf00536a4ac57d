package sdk

import "github.com/jptool/jptool/sdk/internal/engine"

// Engine returns what answers those who come in by streams.
func (s *Server) Engine(o Options) (*engine.Engine, error) { return s.engine(o, door{}) }
