package jphost

import "github.com/jptool/jptool/internal/peer"

// Identifiers that tests outside the package need.
const (
	RuleNative    = ruleNative
	RuleClosed    = ruleClosed
	RuleCancelled = ruleCancelled
	RuleInquiry   = ruleInquiry
	TextInfra     = textInfra
	TextCancelled = textCancelled
	Sent          = peer.Sent
	Received      = peer.Received
)

var ErrClosed = errClosed

// AsSnapshot returns o for a host that acts as JP without RFD D31.
func AsSnapshot(o Options) Options {
	o.mode = snapshot
	return o
}
