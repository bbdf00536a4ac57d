// This server of version 2 of the TypeScript SDK has a tool that asks with a request, which version 2026-07-28 does not have.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

serveStdio(() => {
  const server = new McpServer({ name: 'push', version: '1.0.0' });
  server.registerTool('push', { description: 'Asks by a request.' }, async () => {
    const answer = await server.server.elicitInput({ message: 'Who is it for?', requestedSchema });
    return { content: [{ type: 'text', text: `for ${answer.content?.name}` }] };
  });
  return server;
});
