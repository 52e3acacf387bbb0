import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startChild } from '../../src/runner/child.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-child-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const node = process.execPath;

async function until(holds: () => boolean, what: string, withinMs = 5000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie still has a pid; nobody but init can reap it.
    return !/^State:\s+Z/m.test(
      existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '',
    );
  } catch {
    return false;
  }
}

/** A command that leaves a deaf grandchild behind and writes down its pid. */
function leavingSomebodyBehind(thenMs: number): readonly string[] {
  const pidFile = join(folder, 'pid');
  const deaf = `process.on('SIGTERM', () => {}); require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000);`;
  return [
    node,
    '-e',
    `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(deaf)}], {stdio: 'ignore'}).unref();
     const fs = require('fs');
     const wait = setInterval(() => { if (fs.existsSync(${JSON.stringify(pidFile)})) { clearInterval(wait); setTimeout(() => process.exit(7), ${thenMs}); } }, 10);`,
  ];
}
const leftBehind = (): number => Number(readFileSync(join(folder, 'pid'), 'utf8'));

describe('the wrapped command', () => {
  test('its exit code and its signal are told apart', async () => {
    const exits = await startChild([node, '-e', 'process.exit(3)'], process.env);
    expect(await exits.exited).toEqual({ code: 3, signal: null });
    await exits.sweep(100);
    const killed = await startChild([node, '-e', 'setInterval(() => {}, 1000)'], process.env);
    killed.signal('SIGTERM');
    expect(await killed.exited).toEqual({ code: null, signal: 'SIGTERM' });
    await killed.sweep(100);
  });

  test('one that does not exist is named, and so is what to do', async () => {
    await expect(startChild(['no-such-command-here'], process.env)).rejects.toMatchObject({
      code: 'command-not-found',
      message: 'the command "no-such-command-here" was not found',
    });
    await expect(startChild(['npm test'], process.env)).rejects.toMatchObject({
      hint: expect.stringContaining('-- npm test'),
    });
  });

  test('a file that cannot be executed is named with the reason', async () => {
    const file = join(folder, 'plain.txt');
    writeFileSync(file, 'no program');
    await expect(startChild([file], process.env)).rejects.toMatchObject({
      code: 'command-not-found',
      message: expect.stringContaining('EACCES'),
    });
  });

  test.skipIf(process.platform === 'win32')('what it leaves running is ended, deaf or not', async () => {
    const child = await startChild(leavingSomebodyBehind(0), process.env);
    expect((await child.exited).code).toBe(7);
    const pid = leftBehind();
    expect(isAlive(pid)).toBe(true);
    await child.sweep(100);
    await until(() => !isAlive(pid), 'the grandchild is gone');
  });

  test.skipIf(process.platform === 'win32')(
    'its group dies with us, even when we are killed without warning, and it was not the first',
    async () => {
      const script = join(folder, 'host.mts');
      const module = new URL('../../src/runner/child.ts', import.meta.url).href;
      writeFileSync(
        script,
        `import { startChild } from ${JSON.stringify(module)};
       const first = await startChild([process.execPath, '-e', ''], process.env);
       await first.exited;
       await first.sweep(0);
       await startChild(${JSON.stringify(leavingSomebodyBehind(60_000))}, process.env);
       setInterval(() => {}, 1000);`,
      );
      const host = spawn(node, ['--import', 'tsx', script], { stdio: 'ignore' });
      try {
        await until(
          () => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8') !== '',
          'the grandchild runs',
          15_000,
        );
        const pid = leftBehind();
        expect(isAlive(pid)).toBe(true);
        host.kill('SIGKILL');
        await until(() => !isAlive(pid), 'the grandchild is gone');
      } finally {
        host.kill('SIGKILL');
      }
    },
  );
});
