package content

// A With is a result with additional blocks, such as images, files and links, or with a text of
// its own. Programs read Value as structured content; all clients receive the text and the
// blocks.
type With[T any] struct {
	// Value is the result.
	Value T
	// Blocks follow the text of the result.
	Blocks Blocks
	// Text replaces the text of the result, which otherwise is that of its method Text, or its
	// JSON. It must be complete by itself, for clients that ignore structured content.
	Text string
}
