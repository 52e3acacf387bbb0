// The client of the benchmark: node:http and eventsource-parser, what a real MCP client costs.
// usage: client.mjs <url> <flood|pace|idle> <streams> <events> <rate>   prints one JSON line
import http from 'node:http';
import { createParser } from 'eventsource-parser';

const [, , url, mode, ...numbers] = process.argv;
const [streams, events, rate] = numbers.map(Number);
const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

function post(message, headers = {}) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method: 'POST',
      agent,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'Content-Length': Buffer.byteLength(body),
        ...headers,
      },
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.end(body);
  });
}

/** A session of its own for each stream: the dearest case for a relay that keeps state. */
async function session() {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench-client', version: '1' },
  };
  const opened = await post({ id: 0, method: 'initialize', params });
  opened.resume();
  if (opened.statusCode !== 200) throw new Error(`initialize was answered ${opened.statusCode}`);
  const headers = {
    'Mcp-Session-Id': opened.headers['mcp-session-id'],
    'MCP-Protocol-Version': '2025-11-25',
  };
  (await post({ method: 'notifications/initialized' }, headers)).resume();
  return headers;
}

const latencies = [];
let received = 0;

async function call(headers, slot, onFirst) {
  const params = { name: 'bench', arguments: { slot, events, rate }, _meta: { progressToken: 1 } };
  const response = await post({ id: 1, method: 'tools/call', params }, headers);
  if (response.statusCode !== 200) throw new Error(`the call was answered ${response.statusCode}`);
  const parser = createParser({
    onEvent({ data }) {
      received += 1;
      if (mode === 'flood') return;
      const now = process.hrtime.bigint();
      const stamp = /t(\d+)t/.exec(data)?.[1];
      if (stamp) latencies.push(Number(now - BigInt(stamp)) / 1000);
      onFirst();
    },
  });
  const decoder = new TextDecoder();
  response.on('data', (bytes) => parser.feed(decoder.decode(bytes, { stream: true })));
  return new Promise((resolve, reject) => {
    response.once('end', resolve);
    response.once('error', reject);
  });
}

function quantile(sorted, q) {
  return sorted.length === 0 ? null : sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

const sessions = [];
for (let slot = 0; slot < streams; slot++) sessions.push(await session());

if (mode === 'idle') {
  let open = 0;
  for (const [slot, headers] of sessions.entries()) {
    call(headers, slot, () => {
      open += 1;
      if (open === streams) console.log(JSON.stringify({ open }));
    }).catch(() => {});
  }
  process.stdin.resume().once('end', () => process.exit(0));
} else {
  const began = performance.now();
  await Promise.all(sessions.map((headers, slot) => call(headers, slot, () => {})));
  const ms = performance.now() - began;
  latencies.sort((a, b) => a - b);
  console.log(
    JSON.stringify({
      received,
      expected: streams * (events + 1),
      ms,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
    }),
  );
  process.exit(0);
}
