import { expect, test } from 'vitest';
import type { Fact, FactBody } from '../../src/history/fact.ts';
import { toWire } from '../../src/history/wire-bytes.ts';
import { watchGivingUp } from '../../src/runner/measure-timeout.ts';

type Timed = readonly [at: number, body: FactBody];

function measured(...facts: readonly Timed[]): number | undefined {
  const watch = watchGivingUp();
  for (const [index, [at, body]] of facts.entries()) watch.observe({ ...body, seq: index + 1, at } as Fact);
  return watch.afterMs();
}

const request = (at: number, exchange: number): Timed => [
  at,
  {
    kind: 'request',
    exchange,
    connection: 1,
    upstream: 'u',
    scope: 'main',
    lane: 's1',
    verb: 'POST',
    path: '/mcp',
    headers: {},
    mcp: true,
  },
];
const body = (at: number, exchange: number, message: object): Timed => [
  at,
  {
    kind: 'request-body',
    exchange,
    body: toWire(new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', ...message }))),
  },
];
const stalled = (at: number, exchange: number): Timed => [
  at,
  { kind: 'applied', decision: 'd', exchange, seam: 'frame', prelude: false, effects: 'end stall' },
];
const call = { id: 7, method: 'tools/call', params: { name: 'count' } };
const cancel = (requestId: number): object => ({ method: 'notifications/cancelled', params: { requestId } });

test('a call that is cancelled by its id was given up then', () => {
  expect(
    measured(
      request(100, 1),
      body(101, 1, call),
      stalled(150, 1),
      request(3105, 2),
      body(3105.4, 2, cancel(7)),
    ),
  ).toBe(3005);
});

test('so was one whose connection the client closed', () => {
  expect(
    measured(request(100, 1), body(101, 1, call), stalled(150, 1), [
      2100,
      { kind: 'end', exchange: 1, side: 'client', how: 'reset', by: 'client' },
    ]),
  ).toBe(2000);
});

test('the cancellation of another call, another ending and an ending by somebody else measure nothing', () => {
  const end = (exchange: number, by: 'client' | 'upstream'): Timed => [
    2000,
    { kind: 'end', exchange, side: 'both', how: 'complete', by },
  ];
  expect(
    measured(
      request(100, 1),
      body(101, 1, call),
      stalled(150, 1),
      body(900, 2, cancel(8)),
      end(2, 'client'),
      end(1, 'upstream'),
    ),
  ).toBeUndefined();
});

test('a call that was not stalled measures nothing', () => {
  expect(measured(request(100, 1), body(101, 1, call), body(3100, 2, cancel(7)))).toBeUndefined();
});
