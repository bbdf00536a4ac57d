package stdio

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
)

const (
	methodDiscover = "server/discover"
	methodListen   = "subscriptions/listen"

	// keySubscription names the call that a notification belongs to.
	keySubscription = "io.modelcontextprotocol/subscriptionId"
)

// listening returns our ids of the calls that listen, which never end by themselves.
func (f *flight) listening() (ours []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, in := range f.calls {
		if in.listens && !in.canceled {
			ours = append(ours, id)
		}
	}
	slices.Sort(ours)
	return ours
}

// subscribed returns an object of params or a result in which a subscription has the
// id that the client gave it, and false if the client has given it up.
func (f *flight) subscribed(object json.RawMessage) (json.RawMessage, bool) {
	if !bytes.Contains(object, []byte(keySubscription)) {
		return object, true
	}
	var members, meta map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil || json.Unmarshal(members["_meta"], &meta) != nil || meta[keySubscription] == nil {
		return object, true
	}
	ours, err := strconv.ParseInt(string(meta[keySubscription]), 10, 64)
	if err != nil {
		return object, true
	}
	f.mu.Lock()
	in, known := f.calls[ours]
	f.mu.Unlock()
	if !known || in.canceled {
		return nil, false
	}
	meta[keySubscription] = json.RawMessage(in.id)
	if members["_meta"], err = json.Marshal(meta); err != nil {
		return object, true
	}
	changed, err := json.Marshal(members)
	return changed, err == nil
}
