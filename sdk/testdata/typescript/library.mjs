// Uses the resources and prompts of the library with the official TypeScript client, and prints what it got.
//
//   node library.mjs ERA COMMAND...
//
// ERA is legacy (sessions) or modern (the newest protocol, pinned).
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const [era, command, ...rest] = process.argv.slice(2);
const told = [];
const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { form: {} } },
  versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
  listChanged: { resources: { onChanged: () => told.push('list') } } });
client.setRequestHandler('elicitation/create', (r) => ({ action: 'accept', content: { answer: r.params.message === 'How do you feel?' ? 'calm' : true } }));
client.setNotificationHandler('notifications/resources/updated', (n) => { told.push('updated ' + n.params.uri); });
await client.connect(new StdioClientTransport({ command, args: rest, env: { ...process.env }, stderr: 'inherit' }));
const out = { version: client.getNegotiatedProtocolVersion() };
const l = await client.listResources(); out.resources = l.resources.length; out.cursor = !!l.nextCursor;
out.templates = (await client.listResourceTemplates()).resourceTemplates.length;
out.prompts = (await client.listPrompts()).prompts.length;
for (const uri of ['library://about', 'note://3', 'note://7', 'diary://2', 'manual://index.md', 'note://99']) {
  try { out[uri] = (await client.readResource({ uri })).contents[0].text; } catch (e) { out[uri] = 'error ' + e.code + ' ' + e.message; }
}
out.entry = (await client.getPrompt({ name: 'entry' })).messages[0].content.text;
out.summarize = (await client.getPrompt({ name: 'summarize', arguments: { id: '1' } })).messages.length;
out.complete = (await client.complete({ ref: { type: 'ref/prompt', name: 'summarize' }, argument: { name: 'id', value: '1' }, context: { arguments: { style: 'long' } } })).completion.values;
try { if (era === 'modern') { await client.listen({ resourceSubscriptions: ['note://1'], resourcesListChanged: true }); } else await client.subscribeResource({ uri: 'note://1' }); } catch (e) { out.subscribe = String(e); }
await client.callTool({ name: 'edit', arguments: { id: '1', text: 'new' } });
await client.callTool({ name: 'edit', arguments: { id: 'zz', text: 'new' } });
for (let i = 0; i < 50 && told.length < 2; i++) await new Promise((r) => setTimeout(r, 100));
out.told = told;
await client.close();
console.log(JSON.stringify(out));
