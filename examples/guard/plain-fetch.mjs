/**
 * The guard under a client made of nothing but `fetch`: all it adds is one wrapped function. Such a client has
 * to resume by itself, which is a loop around a GET.
 *
 *   mcp-chaos --profile desync --seed 42 --client-timeout 3000 -- node examples/guard/plain-fetch.mjs
 */
import { guardFetch } from 'mcp-chaos/guard';
import { contract, patience, runErrands, timeout, url } from './errands.mjs';

const desyncs = [];
const guarded = guardFetch(fetch, { contract, ...patience, onDesync: (desync) => desyncs.push(desync) });

async function connect() {
  let lastId = 0;
  let session;
  const headers = () => ({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(session && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
  });
  const post = (message, signal) =>
    guarded(url, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      signal,
    });

  /** The result of a request, over as many connections as it takes. */
  async function ask(method, params) {
    lastId += 1;
    const id = lastId;
    const signal = AbortSignal.timeout(timeout);
    let response = await post({ id, method, params }, signal);
    if (method === 'initialize') session = response.headers.get('mcp-session-id') ?? undefined;
    let cursor;
    for (;;) {
      if (!response.ok) throw new Error(`${method}: HTTP ${response.status} ${await response.text()}`);
      for await (const event of events(response)) {
        cursor = event.id ?? cursor;
        const message = event.data && JSON.parse(event.data);
        if (message?.id !== id) continue;
        if (message.error) throw new Error(message.error.message);
        return message.result;
      }
      if (cursor === undefined) throw new Error(`${method}: the stream ended without an answer`);
      // The guard waits as long as the server asked for, and sees to it that this is the same stream.
      response = await guarded(url, { headers: { ...headers(), 'last-event-id': cursor }, signal });
    }
  }

  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'plain-fetch', version: '1.0.0' },
  });
  await post({ method: 'notifications/initialized' });
  const { tools } = await ask('tools/list', {});
  return {
    async call(tool) {
      const { content } = await ask('tools/call', tool);
      return content.map(({ text }) => text).join('\n');
    },
    isReadOnly: (name) => tools.find((tool) => tool.name === name)?.annotations?.readOnlyHint === true,
    close: async () => void (await guarded(url, { method: 'DELETE', headers: headers() })),
  };
}

/** The events of a response: one for a JSON answer, else those of the stream, until it ends or breaks. */
async function* events(response) {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    yield { data: await response.text() };
    return;
  }
  let text = '';
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const field = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        yield { id: field('id'), data: field('data') };
      }
    }
  } catch (error) {
    if (error.name === 'TimeoutError') throw error;
  }
}

await runErrands(connect, desyncs);
