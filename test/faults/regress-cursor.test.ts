import { describe, expect, test } from 'vitest';
import { atFrame, atResume, bare, bind, callStream, firstAttempt, inWords, short, stream } from './stream.ts';

const regress = (params: object = {}) => bind('regress-cursor', params);

test('the first seed: dropped at 8412, resumed at 17, 18, 19, and then silence', () => {
  const story = callStream(3, 8411);
  const fault = regress({ after: 2 });
  expect(firstAttempt(fault, story)).toEqual(['8411 as it is', 'pass', 'end fin']);
  // No `follow`: the stream stays open, and the continuation that was keyed to 8413 never comes.
  expect(inWords(fault.plan(atResume(story, { had: 2 })))).toEqual([
    'send 17 other incarnation 1',
    'send 18 other incarnation 2',
    'send 19 other incarnation 3',
  ]);
});

test('an invented event is a log message, valid in every revision and an answer to nothing', () => {
  const [sent] = regress({ events: 1 }).plan(atResume(stream, { had: 2 }))!;
  expect(sent?.do === 'send' && new TextDecoder().decode(sent.raw)).toBe(
    'id: 17\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"mcp-chaos","data":"event 1 of another incarnation of this session"}}\n\n',
  );
});

describe('the prelude', () => {
  test.each([
    ['after so many frames with an id', { after: 1 }, stream, ['pass', 'end fin']],
    ['right before an answer that comes first', { after: 9 }, short, ['1001 as it is', 'end fin']],
    [
      'after a while',
      { after: 1, idleMs: 400, how: 'complete' },
      stream,
      ['pass', 'wait 400', 'end complete'],
    ],
    ['not at all where no id was shown', { after: 1 }, bare, ['1002 as it is']],
    [
      'not at all without ids',
      { after: 1 },
      callStream(1, null),
      ['(no id) as it is', '(no id) as it is', '(no id) as it is'],
    ],
  ])('drops %s', (_, params, frames, expected) => {
    expect(firstAttempt(regress(params), frames)).toEqual(expected);
  });

  test('drops once: a later attempt is not its business', () => {
    expect(inWords(regress({ after: 1 }).plan(atFrame(stream, 0, { attempt: 1 })))).toBe('passes');
  });
});

describe('from', () => {
  const fault = regress({ after: 2, from: 8412, idleMs: 5 });

  test('asks for the literal ids, whatever the stream is numbered by', () => {
    expect(firstAttempt(fault, stream)).toEqual([
      'send 8411 priming',
      'send 8412 progress 1',
      'wait 5',
      'end fin',
    ]);
    expect(inWords(fault.plan(atResume(stream, { had: 2, cursor: '8412' })))).toEqual([
      'send 17 other incarnation 1',
      'send 18 other incarnation 2',
      'send 19 other incarnation 3',
    ]);
  });

  test('a client that comes back with an adopted id meets silence', () => {
    expect(inWords(fault.plan(atResume(stream, { had: 2, cursor: '19', attempt: 2 })))).toEqual([]);
    expect(inWords(fault.plan(atResume(stream, { had: 2, cursor: '8413', attempt: 2 })))).toEqual([]);
  });
});

describe('the first id', () => {
  const first = (cursor: string, params: object = {}, contract = 'monotonic:stream' as const) => {
    const frames = callStream(0, Number(cursor));
    return inWords(regress({ events: 1, ...params }).plan(atResume(frames, { had: 1, contract })))[0];
  };

  test.each([
    ['18', 'send 17 other incarnation 1'],
    ['17', 'send 1 other incarnation 1'],
    ['2', 'send 1 other incarnation 1'],
    ['1', 'send 0 other incarnation 1'],
    ['9007199254740993', 'send 17 other incarnation 1'],
  ])('after cursor %s is below it', (cursor, expected) => {
    const frames = [{ ...stream[0]!, id: cursor }];
    expect(inWords(regress({ events: 1 }).plan(atResume(frames, { had: 1 })))[0]).toBe(expected);
  });

  test('can be asked for', () => expect(first('8412', { to: 0 })).toBe('send 0 other incarnation 1'));

  test('is of the next epoch where ids carry one', () => {
    const frames = callStream(3, '4:');
    const subject = atResume(frames, { had: 2, contract: 'epoch' });
    expect(inWords(regress({ events: 2 }).plan(subject))).toEqual([
      'send 5:17 other incarnation 1',
      'send 5:18 other incarnation 2',
    ]);
  });

  test('is a bare number where ids are opaque: the regression is then expected, and the finding moot', () => {
    const frames = callStream(3, 'c29t/');
    expect(inWords(regress({ events: 1 }).plan(atResume(frames, { had: 2, contract: 'opaque' })))).toEqual([
      'send 17 other incarnation 1',
    ]);
  });
});

test('the old cursor meets the same incarnation again, and an adopted one meets its silence', () => {
  const fault = regress({ events: 1 });
  expect(inWords(fault.plan(atResume(stream, { had: 2, attempt: 2 })))).toEqual([
    'send 17 other incarnation 1',
  ]);
  expect(inWords(fault.plan(atResume(stream, { had: 2, attempt: 2, cursor: '17' })))).toEqual([]);
});

test('times: later resumptions are coherent', () => {
  const fault = regress({ times: 1 });
  expect(inWords(fault.plan(atResume(stream, { had: 2, attempt: 1 })))).toHaveLength(3);
  expect(inWords(fault.plan(atResume(stream, { had: 2, attempt: 2 })))).toBe('passes');
});
