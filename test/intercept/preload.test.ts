/** The preload in a process of its own: what it costs, and what it leaves as it was. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { interceptingEnvironment, nodeOptions } from '../../src/runner/child-environment.ts';

const preload = fileURLToPath(new URL('../../src/intercept/preload.cjs', import.meta.url));
const interception = { proxy: 'http://127.0.0.1:9', token: 'token', allowRemote: false, tally: '/nowhere' };
const folder = mkdtempSync(join(tmpdir(), 'mcp-chaos preload "'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Evaluates `code` in a process with these variables on top of a bare environment; what it prints. */
function evaluate(code: string, env: Record<string, string | undefined>): string {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', code], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  return stdout.trim() || stderr;
}

const variables = (inherited: Record<string, string> = {}) =>
  interceptingEnvironment(interception, inherited);

describe('the preload', () => {
  it('loads nothing big that the process does not use', () => {
    const list = 'console.log(JSON.stringify(process.moduleLoadList))';
    const without = new Set(JSON.parse(evaluate(list, {})));
    const loaded = (JSON.parse(evaluate(list, variables())) as string[]).filter((name) => !without.has(name));
    expect(loaded).toContain('NativeModule http');
    // Measured on Node 22 and 24: https alone is 30 ms of processor time, undici more.
    expect(loaded.filter((name) => /https|tls|undici|inspector/.test(name))).toEqual([]);
  });

  it('keeps the shape of what it replaces', () => {
    const shape = `const { value, ...kind } = Object.getOwnPropertyDescriptor(globalThis, 'fetch');
      const http = require('node:http');
      console.log(JSON.stringify([value.name, value.length, kind, http.request.length, http.Agent.prototype.addRequest.length]))`;
    expect(evaluate(shape, variables())).toBe(evaluate(shape, {}));
  });

  it('gives the errors that there would be without it', () => {
    const code = `Promise.allSettled([fetch('nonsense'), fetch('http://127.0.0.1:1/'), fetch('http://127.0.0.1:1/', { method: 'BAD METHOD' })])
      .then((all) => console.log(all.map(({ reason }) => reason.message + reason.cause?.code).join()))`;
    expect(evaluate(code, variables())).toBe(evaluate(code, {}));
  });

  it('does nothing without a run', () => {
    const code = 'console.log(fetch.toString().slice(0, 20))';
    expect(evaluate(code, { NODE_OPTIONS: variables().NODE_OPTIONS })).toBe(evaluate(code, {}));
  });
});

describe('the environment of the wrapped command', () => {
  it('keeps what NODE_OPTIONS held', () => {
    expect(variables({ NODE_OPTIONS: '--no-warnings' }).NODE_OPTIONS).toBe(
      `--no-warnings --require ${preload}`,
    );
  });

  it('survives a path with spaces and quotes', () => {
    cpSync(dirname(preload), folder, { recursive: true });
    const options = nodeOptions(undefined, join(folder, 'preload.cjs'));
    expect(options).toContain('preload \\"');
    const seen = evaluate('console.log(fetch.toString())', { ...variables(), NODE_OPTIONS: options });
    expect(seen).toContain('throughProxy');
  });

  it('takes loopback out of what is exempt from http_proxy, and nothing else', () => {
    const { no_proxy, NO_PROXY, http_proxy } = variables({
      no_proxy: 'localhost, 127.0.0.1,.corp.example,::1,10.0.0.0/8,*',
    });
    expect([no_proxy, NO_PROXY]).toEqual(Array(2).fill('.corp.example,10.0.0.0/8'));
    expect(http_proxy).toBe('http://main:token@127.0.0.1:9');
  });
});
