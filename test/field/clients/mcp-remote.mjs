/** The bridge `mcp-remote`, by its alias, with this program as its host on standard input and output. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { follow, plan } from './plan.mjs';

const [, , alias] = process.argv;
const program = fileURLToPath(new URL(`node_modules/${alias}/dist/proxy.js`, import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'mcp-chaos-field-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));
const bridge = spawn(
  process.execPath,
  [program, process.env.MCP_CHAOS_URL, '--allow-http', '--transport', 'http-only'],
  { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, MCP_REMOTE_CONFIG_DIR: home } },
);
process.on('exit', () => bridge.kill('SIGKILL'));

const waiting = new Map();
createInterface({ input: bridge.stdout }).on('line', (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return;
  }
  waiting.get(message.id)?.(message);
});

let lastId = 0;
const send = (message) => bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
function ask(method, params, timeoutMs) {
  lastId += 1;
  const id = lastId;
  send({ id, method, params });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'timed out' } });
      reject(new Error(`${method} timed out`));
    }, timeoutMs);
    waiting.set(id, (answer) => {
      clearTimeout(timer);
      if (answer.error) reject(new Error(answer.error.message));
      else resolve(answer.result);
    });
  });
}

await follow({
  async connect() {
    const clientInfo = { name: alias, version: '1' };
    await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }, 60_000);
    send({ method: 'notifications/initialized' });
  },
  async call(name, args) {
    const result = await ask('tools/call', { name, arguments: args }, plan.timeoutMs);
    return result.content?.at(-1)?.text;
  },
  async close() {
    bridge.kill();
  },
});
