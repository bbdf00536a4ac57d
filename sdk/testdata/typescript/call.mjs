// Calls one tool with the official TypeScript client, and prints what was asked
// and how it ended as one JSON object.
//
//   node call.mjs ERA TOOL ARGUMENTS RESPONSES COMMAND...
//
// ERA is legacy (sessions) or modern (the newest protocol, pinned). RESPONSES are
// the results of the elicitations, in order.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [era, tool, args, responses, command, ...rest] = process.argv.slice(2);
const script = JSON.parse(responses);
const asked = [];

const client = new Client(
  { name: 'test', version: '1.0.0' },
  {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
  },
);
client.setRequestHandler('elicitation/create', (request) => {
  asked.push(request.params.message);
  return script[asked.length - 1] ?? { action: 'cancel' };
});
await client.connect(new StdioClientTransport({ command, args: rest, env: { ...process.env }, stderr: 'inherit' }));
const { tools } = await client.listTools();
let result, error;
try {
  result = await client.callTool({ name: tool, arguments: JSON.parse(args) });
} catch (e) {
  error = String(e?.message ?? e);
}
const version = client.getNegotiatedProtocolVersion();
await client.close();
console.log(JSON.stringify({ tools: tools.length, version, asked, result, error }));
