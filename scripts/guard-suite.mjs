/**
 * The suite behind the table in docs/guard.md: an official client, with the guard or without, makes the same
 * calls, and says with marks what became of each, for the wire does not show it.
 *
 *   CLIENT=v1|v2 GUARD=0|1 mcp-chaos --profile desync --seed 1 --client-timeout 3000 -- node scripts/guard-suite.mjs
 */

import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mark } from '../dist/control/mark.js';
import { guardFetch } from '../dist/guard/index.js';

const v1 = process.env.CLIENT !== 'v2';
const guard = process.env.GUARD === '1';
/** Milliseconds. */
const timeout = Number(process.env.TIMEOUT_MS ?? 3000);
const base = new URL(process.env.MCP_CHAOS_URL ?? process.argv[2]);

/** Three clients at once, each a scope of its own; each of its tools once, so that a mark means one call. */
const scopes = ['ash', 'birch', 'cedar'];
const work = [
  { name: 'count', arguments: { n: 4 } },
  { name: 'report', arguments: { sections: 3 } },
  { name: 'charge', arguments: { amount: 12 } },
  { name: 'charges', arguments: {} },
];

async function connect(url, desyncs) {
  const fetch = guard
    ? guardFetch(globalThis.fetch, {
        contract: process.env.MCP_CHAOS_CONTRACT ?? 'opaque',
        livenessMs: timeout / 5,
        resumeMs: timeout / 5,
        stallMs: timeout / 6,
        onDesync: (desync) => desyncs.push(desync),
      })
    : globalThis.fetch;
  const client = v1
    ? new ClientV1({ name: 'suite-v1', version: '1.0.0' })
    : new ClientV2({ name: 'suite-v2', version: '1.0.0' });
  const transport = v1 ? new TransportV1(url, { fetch }) : new TransportV2(url, { fetch });
  await client.connect(transport, { timeout });
  return {
    /** The server need not keep a session that its client has left. */
    leave: () => transport.terminateSession().catch(() => {}),
    call: (tool) => (v1 ? client.callTool(tool, undefined, { timeout }) : client.callTool(tool, { timeout })),
    close: () => client.close().catch(() => {}),
  };
}

async function run(scope) {
  const url = new URL(`/s/${scope}${base.pathname}`, base);
  const desyncs = [];
  let client = await connect(url, desyncs);
  for (const tool of work) {
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const told = desyncs.length;
      const about = { scope, tool: tool.name };
      try {
        await client.call(tool);
        // A second attempt's success says nothing of the first.
        if (attempt === 1) await mark('resolved', about);
        break;
      } catch (error) {
        console.log(`${scope} ${tool.name}: ${error.message.slice(0, 160)}`);
        const marking = mark('rejected', { ...about, error });
        const desync = desyncs[told];
        if (desync?.sessionEnded) {
          const old = client;
          client = await connect(url, desyncs);
          await old.leave();
          await old.close();
        }
        await marking;
        // A charge must not run twice; whether it ran is not this suite's question.
        if (desync === undefined || tool.name === 'charge') break;
      }
    }
  }
  await client.close();
}

await Promise.all(scopes.map(run));
// Streams that a client still retries must not keep the process alive.
process.exit(0);
