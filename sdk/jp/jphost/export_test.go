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

// Snapshot is JP as of 2026-08-22.
const Snapshot = snapshot
