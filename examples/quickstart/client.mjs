/**
 * A small agent's day: the official MCP client calls one tool after another.
 *
 *   mcp-chaos --profile desync --seed 42 --client-timeout 3000 -- node examples/quickstart/client.mjs
 *
 * Nothing in here knows about faults. Each call streams several parts and then its result; what the client
 * does when a stream breaks under such a call is what the run finds out.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const url = process.env.MCP_CHAOS_URL ?? process.argv[2];
if (!url) {
  console.error('Set MCP_CHAOS_URL, or give the URL of an MCP endpoint.');
  process.exit(64);
}

/** Told to mcp-chaos as --client-timeout, so that a call that merely timed out is not called a detection. */
const timeout = Number(process.env.TIMEOUT_MS ?? 3000);

const errands = [
  ['count', { n: 4 }],
  ['report', { sections: 3 }],
  ['count', { n: 6 }],
  ['charge', { amount: 12 }],
  ['report', { sections: 5 }],
  ['count', { n: 8 }],
  ['charge', { amount: 30 }],
  ['report', { sections: 7 }],
];

const client = new Client({ name: 'quickstart', version: '1.0.0' });
try {
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
} catch (error) {
  console.error(`could not connect to ${url}: ${error.message}`);
  process.exit(1);
}

for (const [name, args] of errands) {
  const label = `${name} ${JSON.stringify(args)}`.padEnd(24);
  const start = Date.now();
  let parts = 0;
  try {
    await client.callTool({ name, arguments: args }, undefined, { timeout, onprogress: () => parts++ });
    console.log(`${label} ok      ${parts} parts, ${Date.now() - start} ms`);
  } catch (error) {
    console.log(`${label} failed  after ${parts} parts, ${Date.now() - start} ms: ${error.message}`);
  }
}

await client.close();
// Failed calls are this program's news, not its failure: mcp-chaos says what they mean. Exit status 1 is kept
// for "could not connect", where there is nothing to judge. Streams that are still being retried must not
// keep the process alive.
process.exit(0);
