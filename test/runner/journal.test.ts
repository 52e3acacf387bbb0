import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decodeJournal } from '../../src/history/codec.ts';
import type { Fact } from '../../src/history/fact.ts';
import { createJournal } from '../../src/runner/journal.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string) => decodeJournal(readFileSync(path, 'utf8'));

describe('the journal', () => {
  test('numbers facts from 1 and stamps them with rising milliseconds', async () => {
    const path = join(folder, 'deep/er/journal.ndjson');
    const journal = createJournal(path);
    expect([1, 2, 3].map(() => journal.record({ kind: 'child-started' }))).toEqual([1, 2, 3]);
    await journal.close();
    const { facts, problems } = read(path);
    expect(problems).toEqual([]);
    expect(facts.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    for (const { at } of facts) expect(at).toBe(Math.round(at * 1000) / 1000);
    expect(facts.map(({ at }) => at)).toEqual(facts.map(({ at }) => at).sort((a, b) => a - b));
  });

  test('is in the file one turn later, without being asked', async () => {
    const path = join(folder, 'journal.ndjson');
    const journal = createJournal(path);
    journal.record({ kind: 'child-started' });
    expect(readFileSync(path, 'utf8')).toBe('');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(read(path).facts).toHaveLength(1);
    await journal.close();
  });

  test('does not hoard what one turn records', async () => {
    const path = join(folder, 'journal.ndjson');
    const journal = createJournal(path);
    const body = { text: 'x'.repeat(100_000) };
    for (let i = 0; i < 30; i += 1) journal.record({ kind: 'bytes', exchange: 1, side: 'both', body });
    expect(read(path).facts.length).toBeGreaterThan(20);
    await journal.close();
    expect(read(path).facts).toHaveLength(30);
  });

  test('tells listeners of every fact until they leave', async () => {
    const journal = createJournal(join(folder, 'journal.ndjson'));
    const seen: Fact[] = [];
    const leave = journal.onRecord((fact) => seen.push(fact));
    journal.record({ kind: 'child-started' });
    leave();
    journal.record({ kind: 'run-ended', reason: 'stopped' });
    await journal.close();
    expect(seen.map(({ seq, kind }) => [seq, kind])).toEqual([[1, 'child-started']]);
  });

  test('takes nothing more once it is closed', async () => {
    const path = join(folder, 'journal.ndjson');
    const journal = createJournal(path);
    journal.record({ kind: 'child-started' });
    await journal.close();
    journal.record({ kind: 'run-ended', reason: 'stopped' });
    await journal.close();
    expect(read(path).facts).toHaveLength(1);
  });

  test('holds the last line after a crash of the process', () => {
    const path = join(folder, 'journal.ndjson');
    const script = join(folder, 'crash.ts');
    const module = new URL('../../src/runner/journal.ts', import.meta.url).href;
    writeFileSync(
      script,
      `import { createJournal } from ${JSON.stringify(module)};
       const journal = createJournal(${JSON.stringify(path)});
       journal.record({ kind: 'child-started' });
       journal.record({ kind: 'run-ended', reason: 'stopped' });
       throw new Error('ours');`,
    );
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', script], { encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(read(path).facts.map(({ kind }) => kind)).toEqual(['child-started', 'run-ended']);
  });

  test('a file that cannot be created is a usage error that names the file', () => {
    writeFileSync(join(folder, 'file'), '');
    const path = join(folder, 'file/journal.ndjson');
    expect(() => createJournal(path)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(path) }),
    );
  });

  test.skipIf(process.platform !== 'linux')(
    'a disk that is full is told once and fails the close',
    async () => {
      const failures: string[] = [];
      const journal = createJournal('/dev/full', { onFailure: ({ message }) => failures.push(message) });
      journal.record({ kind: 'child-started' });
      journal.flush();
      journal.record({ kind: 'child-started' });
      await expect(journal.close()).rejects.toMatchObject({ code: 'internal' });
      expect(failures).toEqual([expect.stringContaining('/dev/full')]);
    },
  );
});
