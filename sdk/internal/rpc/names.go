package rpc

// Methods of MCP.
const (
	MethodInitialize  = "initialize"
	MethodPing        = "ping"
	MethodDiscover    = "server/discover"
	MethodLevel       = "logging/setLevel"
	MethodList        = "tools/list"
	MethodCall        = "tools/call"
	MethodListen      = "subscriptions/listen"
	MethodPrompt      = "prompts/get"
	MethodPrompts     = "prompts/list"
	MethodRead        = "resources/read"
	MethodResources   = "resources/list"
	MethodTemplates   = "resources/templates/list"
	MethodComplete    = "completion/complete"
	MethodSubscribe   = "resources/subscribe"
	MethodUnsubscribe = "resources/unsubscribe"
	MethodSkills      = "skills/list"
	MethodSkill       = "skills/get"
	MethodDirectory   = "resources/directory/read"
	MethodElicit      = "elicitation/create"
	MethodGetTask     = "tasks/get"
	MethodUpdateTask  = "tasks/update"
	MethodCancelTask  = "tasks/cancel"

	NoteInitialized = "notifications/initialized"
	NoteCancelled   = "notifications/cancelled"
	NoteVisited     = "notifications/elicitation/complete"
	NoteProgress    = "notifications/progress"
	NoteSubscribed  = "notifications/subscriptions/acknowledged"
	NoteMessage     = "notifications/message"
	NoteTask        = "notifications/tasks"
	NoteUpdated     = "notifications/resources/updated"
	NoteResources   = "notifications/resources/list_changed"
)

// ExtensionTasks is the name of the extension for tasks.
const ExtensionTasks = "io.modelcontextprotocol/tasks"

// methodName returns a method name without copying common ones.
func methodName(name []byte) string {
	for _, common := range [...]string{MethodCall, MethodList, MethodRead, NoteCancelled, NoteInitialized} {
		if string(name) == common {
			return common
		}
	}
	return string(name)
}
