import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWorkers, type Workers } from '../../src/runner/workers.ts';

let folder: string;
let workers: Workers;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-workers-'));
  writeFileSync(join(folder, 'worker.mjs'), script);
  workers = createWorkers([process.execPath, join(folder, 'worker.mjs')]);
});
afterEach(async () => {
  await workers.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Says which process it is and for the how manieth time, then does as it is told. */
const script = `
  import { writeFileSync } from 'node:fs';
  let nth = 0;
  process.on('message', ({ argv: [what, value] }) => {
    nth += 1;
    console.log(process.pid, nth);
    const end = (code) => process.send({ code });
    if (what === 'end') end(Number(value));
    if (what === 'die') process.kill(process.pid, 'SIGKILL');
    if (what === 'fail-if-used') nth === 1 ? end(0) : end(70);
    if (what === 'die-if-used') nth === 1 ? end(1) : process.exit(9);
    if (what === 'die-afterwards') { end(0); setImmediate(() => process.exit(9)); }
    if (what === 'until-asked') {
      process.on('SIGTERM', () => end(130));
      writeFileSync(value, '');
    }
  });
  process.on('disconnect', () => process.exit());
`;

const never = { stop: new AbortController().signal, kill: new AbortController().signal };
let runs = 0;

async function run(argv: readonly string[], stops = never) {
  runs += 1;
  const output = join(folder, `output-${runs}`);
  const exit = await workers.run(argv, output, stops);
  const said = readFileSync(output, 'utf8');
  const [pid, nth] = said.trim().split(' ').map(Number);
  return { ...exit, said, pid: pid!, nth };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('workers', () => {
  test('a process that came through is given the next run, and each run has its own output', async () => {
    const first = await run(['end', '0']);
    const second = await run(['end', '3']);
    const third = await run(['end', '2']);
    expect([first, second, third].map(({ code, nth }) => [code, nth])).toEqual([
      [0, 1],
      [3, 2],
      [2, 3],
    ]);
    expect(new Set([first.pid, second.pid, third.pid]).size).toBe(1);
    expect(second.said).toBe(`${second.pid} 2\n`);
  });

  test('runs at the same time have a process each', async () => {
    const both = await Promise.all([run(['end', '0']), run(['end', '0'])]);
    expect(both.map(({ nth }) => nth)).toEqual([1, 1]);
    expect(both[0].pid).not.toBe(both[1].pid);
  });

  test('a run that ends its process says how, and does not hold up the next', async () => {
    expect(await run(['die'])).toMatchObject({ code: null, signal: 'SIGKILL', nth: 1 });
    expect(await run(['end', '0'])).toMatchObject({ code: 0, nth: 1 });
  });

  test.each([70, 64, 130])('after exit code %i no other run gets the process', async (code) => {
    const first = await run(['end', String(code)]);
    expect(first).toMatchObject({ code, nth: 1 });
    expect(await run(['end', '0'])).toMatchObject({ nth: 1 });
    expect(isAlive(first.pid)).toBe(false);
  });

  test.each([
    ['fail-if-used', 0],
    ['die-if-used', 1],
  ])(
    'what breaks only where another run was before (%s) is decided by a process of its own',
    async (what, code) => {
      const before = await run(['end', '0']);
      const after = await run([what]);
      expect(after).toMatchObject({ code, nth: 1 });
      expect(after.pid).not.toBe(before.pid);
    },
  );

  test('what breaks in a process of its own as well is broken', async () => {
    await run(['end', '0']);
    expect(await run(['end', '70'])).toMatchObject({ code: 70, nth: 1 });
  });

  test('a process that dies between two runs takes none with it', async () => {
    await run(['die-afterwards']);
    expect(await run(['end', '0'])).toMatchObject({ code: 0, nth: 1 });
  });

  test('a run that is to stop is asked to, and its process has no other', async () => {
    const stop = new AbortController();
    const begun = join(folder, 'begun');
    const stopping = run(['until-asked', begun], { ...never, stop: stop.signal });
    while (!existsSync(begun)) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await stopping).toMatchObject({ code: 130, nth: 1 });
    expect(await run(['end', '0'])).toMatchObject({ nth: 1 });
  });

  test('close leaves none behind', async () => {
    const both = await Promise.all([run(['end', '0']), run(['end', '0'])]);
    expect(both.map(({ pid }) => isAlive(pid))).toEqual([true, true]);
    await workers.close();
    while (both.some(({ pid }) => isAlive(pid))) await new Promise((resolve) => setImmediate(resolve));
  });

  test('a program that cannot be started is named', async () => {
    workers = createWorkers(['no-such-program']);
    await expect(run(['end', '0'])).rejects.toMatchObject({ code: 'command-not-found' });
  });
});
