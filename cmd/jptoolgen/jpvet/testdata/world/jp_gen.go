package world

import "context"

// CallWrite runs the tool in this process, as generated code does.
func CallWrite(ctx context.Context, s *Server) error {
	run := func() error { return s.Write(ctx) }
	return run()
}
