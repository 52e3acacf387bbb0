/** One run under faults, looked at from every side: the journal, the reports, and `check`. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliRun, runCli } from './harness/run-cli.ts';

let folder: string;
let run: CliRun;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-again-'));
  const client = `
    const {Client} = await import('@modelcontextprotocol/sdk/client/index.js');
    const {StreamableHTTPClientTransport} = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const client = new Client({name: 'again', version: '1'});
    await client.connect(new StreamableHTTPClientTransport(new URL(process.env.MCP_CHAOS_URL)));
    for (const n of [3, 4]) {
      await client.callTool({name: 'count', arguments: {n}}, undefined, {timeout: 1500, onprogress: () => {}}).catch(() => {});
    }
    await client.close();`;
  run = await runCli(
    [
      ...['--profile', 'regress-cursor', '--seed', '7', '--client-timeout', '1500', '--deadline', '1s'],
      ...['--fail-on', 'undetermined', '--redact', '--journal', at('journal.ndjson')],
      ...[
        '--report',
        `json=${at('run.json')}`,
        '--report',
        `junit=${at('run.xml')}`,
        '--report',
        `terminal=${at('run.txt')}`,
      ],
      ...['--', process.execPath, '--input-type=module', '-e', client],
    ],
    { bare: true },
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a run', () => {
  test('exits 1 where the client missed what it could have seen, and prints the summary', () => {
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(readFileSync(at('run.txt'), 'utf8'));
    expect(run.stderr).toMatch(/again {2}mcp-chaos --profile regress-cursor --seed 7 .*--only \w+ -- /);
  });

  test('leaves reports in every format that was asked for', () => {
    expect(JSON.parse(readFileSync(at('run.json'), 'utf8'))).toMatchObject({ seed: '7', exitCode: 1 });
    expect(readFileSync(at('run.xml'), 'utf8')).toContain('<failure ');
  });

  test('with --redact keeps no value of a message', () => {
    const journal = readFileSync(at('journal.ndjson'), 'utf8');
    expect(journal).toContain('tools/call');
    expect(journal).not.toMatch(/"text\\":\\"[a-z]+ /);
    expect(journal).not.toContain('again\\"');
  });
});

describe('check', () => {
  test('gives the same reports, byte for byte, and the same exit code', async () => {
    const again = await runCli(
      [
        'check',
        at('journal.ndjson'),
        '--report',
        `json=${at('check.json')}`,
        '--report',
        `junit=${at('check.xml')}`,
      ],
      { bare: true },
    );
    expect(again.code).toBe(1);
    expect(again.stdout).toBe(readFileSync(at('run.txt'), 'utf8'));
    expect(readFileSync(at('check.json'), 'utf8')).toBe(readFileSync(at('run.json'), 'utf8'));
    expect(readFileSync(at('check.xml'), 'utf8')).toBe(readFileSync(at('run.xml'), 'utf8'));
  });

  test('judges what a cut journal still says, and says that it was cut', async () => {
    const whole = readFileSync(at('journal.ndjson'), 'utf8');
    writeFileSync(at('cut.ndjson'), whole.slice(0, Math.floor(whole.length * 0.7)));
    const again = await runCli(['check', at('cut.ndjson')], { bare: true });
    expect(again.stdout).toMatch(/the journal is damaged/);
    expect(again.stdout).toMatch(/the journal has no end/);
    expect([0, 1, 2]).toContain(again.code);
  });
});

describe('report', () => {
  test('renders a stored journal on stdout, and succeeds whatever it says', async () => {
    const rendered = await runCli(['report', at('journal.ndjson'), '--report', 'ndjson'], { bare: true });
    expect(rendered.code).toBe(0);
    expect(JSON.parse(rendered.stdout.split('\n')[0]!)).toMatchObject({
      type: 'run',
      profile: 'regress-cursor',
    });
    expect(existsSync(at('report.ndjson'))).toBe(false);
  });
});
