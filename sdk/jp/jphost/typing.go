package jphost

import "encoding/json"

// callToolResult is the only type of result that JP accepts for a tools/call.
const callToolResult = "CallToolResult"

// resultType returns the name of the type that rmcp 1.8.0 decodes a result into. rmcp tries the types of all
// methods in a fixed order, regardless of the request, so it reads a tool result with a "tools" member as a
// list of tools. It recognizes list elements by their required fields.
func resultType(raw json.RawMessage) string {
	members, _ := readObject(raw)
	for _, t := range resultTypes() {
		if _, given := members[t.key]; (given || t.key == "") && t.fits(raw) {
			return t.name
		}
	}
	return "CustomResult"
}

// A namedCheck is the check for a type, and the name of a required member that is cheap to look up.
type namedCheck struct {
	name, key string
	fits      check
}

func resultTypes() []namedCheck {
	task := []field{
		must("taskId", isString),
		must("status", oneOf("working", "input_required", "completed", "failed", "cancelled")),
		must("createdAt", isString), must("lastUpdatedAt", isString), may("statusMessage", isString),
	}
	list := func(items field) check {
		return object(may("_meta", isObject), may("nextCursor", isString), items)
	}
	named := func(id string) check { return object(must(id, isString), must("name", isString)) }
	return []namedCheck{
		{"InitializeResult", "serverInfo", isInitializeResult},
		{"CompleteResult", "completion", object(must("completion", object(
			must("values", listOf(isString)), may("total", isSize), may("hasMore", isBool))))},
		{"GetPromptResult", "messages", object(may("description", isString), must("messages", listOf(
			object(must("role", isRole), must("content", object(must("type", isString)))))))},
		{"ListPromptsResult", "prompts", list(must("prompts", listOf(object(must("name", isString)))))},
		{"ListResourcesResult", "resources", list(must("resources", listOf(named("uri"))))},
		{"ListResourceTemplatesResult", "resourceTemplates", list(must("resourceTemplates", listOf(named("uriTemplate"))))},
		{"ReadResourceResult", "contents", object(must("contents", listOf(isResource)))},
		{"ListToolsResult", "tools", list(must("tools", listOf(isTool)))},
		{"CreateElicitationResult", "action", object(
			must("action", oneOf("accept", "decline", "cancel")), may("_meta", isObject))},
		{"CreateTaskResult", "task", object(must("task", object(task...)))},
		{"ListTasksResult", "tasks", list(must("tasks", listOf(object(task...))))},
		{"GetTaskResult", "taskId", object(task...)},
		{callToolResult, "", isCallToolResult},
		{"EmptyResult", "", isEmptyObject},
	}
}

func isInitializeResult(raw json.RawMessage) bool {
	return object(must("protocolVersion", isString), must("capabilities", isObject),
		must("serverInfo", object(must("name", isString), must("version", isString))),
		may("instructions", isString))(raw)
}

func isTool(raw json.RawMessage) bool {
	annotations := object(may("title", isString), may("readOnlyHint", isBool),
		may("destructiveHint", isBool), may("idempotentHint", isBool), may("openWorldHint", isBool))
	return object(must("name", isString), may("title", isString), may("description", isString),
		must("inputSchema", isObject), may("outputSchema", isObject), may("annotations", annotations),
		may("icons", listOf(object(must("src", isString)))), may("_meta", isObject))(raw)
}

// isCallToolResult reports whether raw is a tool result. At least one of the fields must be present;
// otherwise, every object would be a tool result.
func isCallToolResult(raw json.RawMessage) bool {
	fields := []field{may("content", listOf(isBlock)), may("structuredContent", isAny),
		may("isError", isBool), may("_meta", isObject)}
	members, _ := readObject(raw)
	given := false
	for _, f := range fields {
		member, has := members[f.name]
		given = given || (has && !isNull(member))
	}
	return given && object(fields...)(raw)
}

func isBlock(raw json.RawMessage) bool {
	annotations := may("annotations", object(may("audience", listOf(isRole)),
		may("priority", isNumber), may("lastModified", isTime)))
	meta := may("_meta", isObject)
	media := []field{must("data", isString), must("mimeType", isString), annotations}
	types := map[string]check{
		"text":     object(must("text", isString), annotations, meta),
		"image":    object(append(media, meta)...),
		"audio":    object(media...),
		"resource": object(must("resource", isResource), annotations, meta),
		"resource_link": object(must("uri", isString), must("name", isString), may("title", isString),
			may("description", isString), may("mimeType", isString), may("size", isSize), annotations, meta),
	}
	members, twice := readObject(raw)
	fits := types[readString(members["type"])]
	return fits != nil && !twice["type"] && fits(raw)
}

func isResource(raw json.RawMessage) bool {
	common := object(must("uri", isString), may("mimeType", isString), may("_meta", isObject))
	return both(common, anyOf(object(must("text", isString)), object(must("blob", isString))))(raw)
}

func isRole(raw json.RawMessage) bool { return oneOf("user", "assistant")(raw) }

func isEmptyObject(raw json.RawMessage) bool {
	members, _ := readObject(raw)
	return members != nil && len(members) == 0
}
