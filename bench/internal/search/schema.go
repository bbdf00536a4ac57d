package search

// InputSchema is that of [In], with the limits that all servers list.
const InputSchema = `{"type":"object","properties":{` +
	`"query":{"type":"string","description":"Words to look for.","minLength":1},` +
	`"folder":{"type":"string","description":"Folder to look in."},` +
	`"kind":{"type":"string","description":"Kind of the notes.","enum":["note","task","link"]},` +
	`"limit":{"type":"integer","description":"The most hits to return.","minimum":1,"maximum":100},` +
	`"offset":{"type":"integer","description":"Hits to pass over.","minimum":0,"maximum":10000},` +
	`"tags":{"type":"array","description":"Tags that all must be there.","items":{"type":"string"}},` +
	`"window":{"type":"object","description":"Days to look at.","properties":{` +
	`"from":{"type":"string","description":"The first day."},` +
	`"to":{"type":"string","description":"The last day."},` +
	`"zone":{"type":"string","description":"The time zone of both."}` +
	`},"required":["from","to","zone"],"additionalProperties":false},` +
	`"archived":{"type":"boolean","description":"Whether to look at archived notes."}` +
	`},"required":["query","folder","kind","limit","offset","tags","window","archived"],"additionalProperties":false}`

// OutputSchema is that of [Out].
const OutputSchema = `{"type":"object","properties":{` +
	`"total":{"type":"integer","description":"Hits there are."},` +
	`"kind":{"type":"string","description":"Kind of the hits.","enum":["note","task","link"]},` +
	`"score":{"type":"number","description":"Score of the best hit."},` +
	`"hits":{"type":"array","description":"The hits, best first.","items":{"type":"object","properties":{` +
	`"id":{"type":"string","description":"Id of the note."},` +
	`"title":{"type":"string","description":"Its title."},` +
	`"line":{"type":"integer","description":"The line that matches."}` +
	`},"required":["id","title","line"],"additionalProperties":false}},` +
	`"next":{"type":"string","description":"Where the next page begins."},` +
	`"complete":{"type":"boolean","description":"Whether these are all."}` +
	`},"required":["total","kind","score","hits","next","complete"],"additionalProperties":false}`
