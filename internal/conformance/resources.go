package conformance

import (
	"context"
	"iter"

	"github.com/jptool/jptool/sdk/tool"
)

// StaticText returns text that never changes.
//
//jp:resource name=static_text uri=test://static-text mime=text/plain
func (c *Conformance) StaticText(context.Context) (string, error) {
	return "Text that never changes.", nil
}

// StaticBinary returns an image.
//
//jp:resource name=static_binary uri=test://static-binary mime=image/png
func (c *Conformance) StaticBinary(context.Context) ([]byte, error) { return picture().Data, nil }

// WatchedResource returns text that may change.
//
//jp:resource name=watched_resource uri=test://watched-resource mime=text/plain
func (c *Conformance) WatchedResource(context.Context) (string, error) {
	return "Text that clients can subscribe to.", nil
}

// change is what a watcher of the watched resource reports.
type change = tool.Change[struct{}]

// Changes reports the changes that test_trigger_resource_change makes.
//
//jp:watch watched_resource
func (c *Conformance) Changes(ctx context.Context) iter.Seq[tool.Change[struct{}]] {
	changes := make(chan change, 2)
	c.watchers.Store(changes, nil)
	return func(yield func(tool.Change[struct{}]) bool) {
		defer c.watchers.Delete(changes)
		for {
			select {
			case <-ctx.Done():
				return
			case what := <-changes:
				if !yield(what) {
					return
				}
			}
		}
	}
}

// ChangeResource changes the watched resource and the list of resources.
//
//jp:tool name=test_trigger_resource_change
func (c *Conformance) ChangeResource(context.Context) (string, error) {
	c.watchers.Range(func(changes, _ any) bool {
		for _, list := range []bool{false, true} {
			select {
			case changes.(chan change) <- change{List: list}:
			default: // the watcher has not yet reported the change before
			}
		}
		return true
	})
	return "the resource changed", nil
}

// DataInput identifies data.
type DataInput struct {
	// ID of the data.
	ID string `json:"id"`
}

// Data is data of a template.
type Data struct {
	// ID of the data.
	ID string `json:"id"`
	// Whether the data comes from a template.
	TemplateTest bool `json:"templateTest"`
	// Data in words.
	Data string `json:"data"`
}

// TemplateData returns data by id.
//
//jp:resource name=template uri=test://template/{id}/data mime=application/json
func (c *Conformance) TemplateData(_ context.Context, in DataInput) (Data, error) {
	return Data{ID: in.ID, TemplateTest: true, Data: "Data of " + in.ID}, nil
}
