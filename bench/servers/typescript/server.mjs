// Serves the tool with the TypeScript SDK and schemas in zod, as its guide recommends.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const kind = z.enum(["note", "task", "link"]);

const input = z.strictObject({
  query: z.string().min(1).describe("Words to find."),
  folder: z.string().describe("Folder to search."),
  kind: kind.describe("Kind of the notes."),
  limit: z.int().min(1).max(100).describe("Maximum number of hits to return."),
  offset: z.int().min(0).max(10000).describe("Number of hits to skip."),
  tags: z.array(z.string()).describe("Tags that a note must have."),
  window: z
    .strictObject({
      from: z.string().describe("The first day."),
      to: z.string().describe("The last day."),
      zone: z.string().describe("The time zone of both."),
    })
    .describe("Days to search."),
  archived: z.boolean().describe("Whether to search archived notes."),
});

const output = z.strictObject({
  total: z.int().describe("Number of hits."),
  kind: kind.describe("Kind of the notes."),
  score: z.number().describe("Score of the best hit."),
  hits: z
    .array(
      z.strictObject({
        id: z.string().describe("Id of the note."),
        title: z.string().describe("Its title."),
        line: z.int().describe("The line that matches."),
      }),
    )
    .describe("The hits, best first."),
  next: z.string().describe("Cursor of the next page."),
  complete: z.boolean().describe("Whether all hits are included."),
});

function run(args) {
  return {
    total: args.limit + args.offset,
    kind: args.kind,
    score: 0.75,
    hits: [
      { id: "n-1", title: `Minutes of ${args.folder}`, line: 3 },
      { id: "n-2", title: `Plans for ${args.window.from}`, line: 14 },
      { id: "n-3", title: "Letters to the harbour office", line: args.tags.length },
    ],
    next: String(args.offset + args.limit),
    complete: args.archived,
  };
}

function server() {
  const s = new McpServer({ name: "typescript", version: "1" }, { capabilities: { tools: {} } });
  const description = "Search the notes by words, folder, tags and days.";
  for (let i = 1; i <= Number(process.argv[2]); i++) {
    s.registerTool(`search_${i}`, { description, inputSchema: input, outputSchema: output }, async (args) => {
      const out = run(args);
      return { content: [{ type: "text", text: JSON.stringify(out) }], structuredContent: out };
    });
  }
  return s;
}

serveStdio(server, { transport: new StdioServerTransport(undefined, undefined, { maxBufferSize: 32 << 20 }) });
