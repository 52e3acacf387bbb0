/** `@modelcontextprotocol/server-everything`, as published, over Streamable HTTP, on loopback. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

export async function startEverything(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [
      '--import',
      new URL('bind-loopback.mjs', import.meta.url).href,
      fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js')),
      'streamableHttp',
    ],
    { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  for (let tries = 0; ; tries += 1) {
    // Any answer will do: it is there.
    const there = await fetch(url, { method: 'GET' }).then(
      () => true,
      () => false,
    );
    if (there) break;
    if (tries === 100 || child.exitCode !== null) {
      child.kill('SIGKILL');
      throw new Error(`server-everything did not start:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    async close() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
