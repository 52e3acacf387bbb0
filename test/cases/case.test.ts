/** Cases come back as they were written, and a broken one says what is wrong with it. */
import { describe, expect, test } from 'vitest';
import { type Case, caseName, decisionsOf, parseCase, profileOf, writeCase } from '../../src/cases/case.ts';
import { faults } from '../../src/faults/index.ts';
import { armExplicit, decisionId } from '../../src/schedule/arm.ts';

const sample: Case = {
  format: 1,
  finding: {
    obligation: 'validates-resumed-cursor',
    level: 'CONTRACT',
    fault: 'skip-events',
    outcome: 'timed-out',
    method: 'tools/call',
    tool: 'count: "quoted" #1',
    shown: 'resumed after id 8412\nand was shown id 17.',
    did: 'waited.',
  },
  profile: 'desync',
  seed: '007',
  contract: 'monotonic:stream',
  ids: { first: 1001 },
  decisions: [
    { fault: 'drop-stream', site: 'embedded/main/s1/tools%2Fcall/count/ab/1', params: { after: 2 } },
    { fault: 'skip-events', site: 'embedded/main/s1/tools%2Fcall/count/cd/1', params: {} },
  ],
  shows: { times: 3, runs: 3 },
  shrunk: { from: 8, runs: 23 },
  command: ['npm', 'test', '--', '-t', 'yes: no'],
  flags: ['--client-timeout', '3000'],
  version: '0.1.0',
};

test('comes back as it was written, of every fault', () => {
  const decisions = faults.map((fault) => ({
    fault: fault.name,
    site: `x/${fault.name}`,
    params: fault.bind({}).params,
  }));
  const one = { ...sample, decisions };
  expect(parseCase(writeCase(one, 'x.yaml'), 'x.yaml')).toEqual(one);
});

test('begins with what it is and how to see it again', () => {
  expect(writeCase(sample, '.mcp-chaos/cases/x.yaml').split('\n').slice(0, 2)).toEqual([
    '# skip-events: timed-out, CONTRACT validates-resumed-cursor',
    '# mcp-chaos replay .mcp-chaos/cases/x.yaml',
  ]);
});

test('its decisions stand as recorded, with the ids that reports show', () => {
  const decisions = decisionsOf(sample);
  expect(decisions.map(({ id }) => id)).toEqual(
    sample.decisions.map(({ fault, site }) => decisionId(fault, site)),
  );
  expect(profileOf(sample)).toMatchObject({ contract: 'monotonic:stream', ids: { first: 1001 } });
  expect(profileOf(sample).rules.map(({ fault }) => fault)).toEqual(['drop-stream', 'skip-events']);
  const site = {
    upstream: 'embedded',
    scope: 'main',
    lane: 's1',
    method: 'tools/call',
    tool: 'count',
    digest: 'ab',
    occurrence: 1,
  };
  const call = {
    channel: 'POST' as const,
    method: 'tools/call',
    tool: 'count',
    revision: undefined,
    contract: 'monotonic:stream' as const,
    hasSession: true,
  };
  expect(armExplicit(decisions, { site, call, ordinal: 1 })).toMatchObject({
    fault: 'drop-stream',
    params: { after: 2 },
  });
  expect(armExplicit(decisions, { site: { ...site, occurrence: 2 }, call, ordinal: 2 })).toBeUndefined();
});

test('the same way to fail is the same file, whatever the seed; another command’s is another', () => {
  expect(caseName({ ...sample, finding: { ...sample.finding, shown: 'else' } })).toBe(caseName(sample));
  expect(caseName({ ...sample, command: ['npm', 'run', 'other'] })).not.toBe(caseName(sample));
  expect(caseName(sample)).toMatch(/^skip-events-timed-out-[0-9a-f]{8}$/);
  expect(caseName({ ...sample, finding: { ...sample.finding, fault: 'natural:broken' } })).toMatch(
    /^natural-broken-timed-out-[0-9a-f]{8}$/,
  );
});

describe('what is wrong with a file is said', () => {
  const edited = (edit: (text: string) => string): string => edit(writeCase(sample, 'x.yaml'));
  test.each([
    ['an unknown key', edited((text) => `${text}extra: 1\n`), 'extra'],
    ['another format', edited((text) => text.replace('format: 1', 'format: 2')), 'format'],
    [
      'a fault that is gone',
      edited((text) => text.replace('fault: drop-stream', 'fault: drop-steam')),
      'there is no fault "drop-steam". Did you mean "drop-stream"?',
    ],
    [
      'a parameter that no longer fits',
      edited((text) => text.replace('after: 2', 'after: -2')),
      'decisions[0]: params of drop-stream: after',
    ],
    ['no YAML', 'a: [', 'cannot be read'],
    ['nothing', '', 'the file'],
  ])('%s', (_name, text, message) => {
    expect(() => parseCase(text, 'cases/x.yaml')).toThrow(message);
    expect(() => parseCase(text, 'cases/x.yaml')).toThrow('the case cases/x.yaml');
  });
});
