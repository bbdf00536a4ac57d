// This server of version 1 of the TypeScript SDK has a tool that asks on the stream of the server.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const sessions = new Map();

async function transportOf(request) {
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known) return known;
  const server = new McpServer({ name: 'stream', version: '1.0.0' });
  server.registerTool('ask', { description: 'Asks.', inputSchema: {} }, async () => {
    const answer = await server.server.elicitInput({
      message: 'Who is it for?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    return { content: [{ type: 'text', text: `for ${answer.content?.name}` }] };
  });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  await server.connect(transport);
  return transport;
}

const http = createServer(async (request, response) => (await transportOf(request)).handleRequest(request, response));
http.listen(0, '127.0.0.1', () => console.error(`listening on port ${http.address().port}`));
