/** The faults that reach a whole session. */
import { describe, expect, test } from 'vitest';
import { faultNamed } from '../../src/faults/index.ts';
import {
  atFrame,
  atHead,
  atRequest,
  atResume,
  bind,
  firstAttempt,
  inWords,
  short,
  stream,
} from './stream.ts';

describe('restart-session', () => {
  test('in mid-call: the last frame, a new incarnation, and the connection goes', () => {
    const fault = bind('restart-session', { after: 2, how: 'reset' });
    expect(firstAttempt(fault, stream)).toEqual(['1001 as it is', 'pass', 'restart-session', 'end reset']);
    expect(fault.seam).toBe('frame');
  });

  test('in place of an answer that comes first', () => {
    expect(firstAttempt(bind('restart-session', { after: 9 }), short)).toEqual([
      '1001 as it is',
      'restart-session',
      'end fin',
    ]);
  });

  test('what the resumption shows is the new incarnation itself', () => {
    expect(inWords(bind('restart-session').plan(atResume(stream, { had: 2 })))).toBe('passes');
  });

  test('before a request: the call goes to the new incarnation', () => {
    const fault = bind('restart-session', { at: 'request' });
    expect(inWords(fault.plan(atRequest()))).toEqual(['restart-session', 'pass']);
    expect(firstAttempt(fault, short)).toEqual(['1001 as it is', '1002 as it is']);
    expect([fault.seam, fault.detectability.level]).toEqual(['request', 'none']);
  });

  test('in mid-call only time or a low id shows it', () => {
    expect(bind('restart-session').detectability.level).toBe('inferable');
  });
});

describe.each([
  ['restart-upstream', {}, 'restart-upstream SIGTERM 0'],
  ['kill-upstream', { downMs: 300 }, 'restart-upstream SIGKILL 300'],
])('%s', (name, params, restart) => {
  test('in mid-call: the last frame, the process, and the connection goes', () => {
    const fault = bind(name, { ...params, after: 2, how: 'reset' });
    expect(firstAttempt(fault, stream)).toEqual(['1001 as it is', 'pass', restart, 'end reset']);
    expect(fault.seam).toBe('frame');
  });

  test('in place of an answer that comes first', () => {
    expect(firstAttempt(bind(name, { ...params, after: 9 }), short)).toEqual([
      '1001 as it is',
      restart,
      'end fin',
    ]);
  });

  test('before a request: the call meets what is there by then', () => {
    const fault = bind(name, { ...params, at: 'request' });
    expect(inWords(fault.plan(atRequest()))).toEqual([restart, 'pass']);
    expect(inWords(fault.plan(atFrame(stream, 1)))).toBe('passes');
    expect(fault.seam).toBe('request');
  });

  test('what the resumption shows is the new process itself', () => {
    expect(inWords(bind(name, params).plan(atResume(stream, { had: 2 })))).toBe('passes');
  });

  test('says what it cannot do without', () => {
    expect(faultNamed(name)?.needs).toBe('managed upstream');
  });
});

describe.each([
  ['expire-session', {}, 404],
  ['refuse-session', { status: 400 }, 400],
  ['refuse-session', { status: 401 }, 401],
  ['refuse-session', { status: 410 }, 410],
])('%s %o', (name, params, status) => {
  test(`answers the call itself ${status}`, () => {
    const fault = bind(name, params);
    expect(inWords(fault.plan(atRequest()))).toEqual([`refuse-session ${status}`]);
    expect(inWords(fault.plan(atFrame(stream, 1)))).toBe('passes');
    expect(fault.seam).toBe('request');
  });

  test(`or drops its stream and answers the resumption ${status}`, () => {
    const fault = bind(name, { ...params, at: 'resume', after: 1 });
    expect(inWords(fault.plan(atRequest()))).toBe('passes');
    expect(firstAttempt(fault, stream)).toEqual(['pass', 'end fin']);
    expect(inWords(fault.plan(atResume(stream, { had: 1 })))).toEqual([`refuse-session ${status}`]);
    expect(fault.seam).toBe('resume');
  });
});

test.each([
  ['change-session-id', { id: 'b' }, 'head {"mcp-session-id":"b"}'],
  ['drop-session-id', {}, 'head {"mcp-session-id":null}'],
])('%s touches the head of the call, or of its resumption, and nothing else', (name, params, head) => {
  const atAnswer = bind(name, params);
  expect(inWords(atAnswer.plan(atHead()))).toEqual([head]);
  expect(inWords(atAnswer.plan(atHead({}, false)))).toEqual([head]);
  expect(inWords(atAnswer.plan(atFrame(stream, 1)))).toBe('passes');

  const resumed = bind(name, { ...params, at: 'resume', after: 2 });
  expect(inWords(resumed.plan(atHead()))).toBe('passes');
  expect(firstAttempt(resumed, stream)).toEqual(['1001 as it is', 'pass', 'end fin']);
  expect(inWords(resumed.plan(atResume(stream, { had: 3, came: 4 })))).toEqual([
    head,
    'send 1004 progress 3',
    'follow',
  ]);
});

test('a session id is visible ASCII (2025-11-25 basic/transports, Session Management)', () => {
  expect(() => bind('change-session-id', { id: 'two words' })).toThrow('visible ASCII');
});
