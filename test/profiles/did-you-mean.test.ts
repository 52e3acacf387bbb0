import { expect, test } from 'vitest';
import { didYouMean } from '../../src/profiles/did-you-mean.ts';

test.each([
  ['hwo', ['how', 'where'], 'how'],
  ['HOW', ['how', 'where'], 'how'],
  ['dorp-stream', ['drop-stream', 'stall-stream'], 'drop-stream'],
  ['swalow-replay', ['swallow-response', 'swallow-replay'], 'swallow-replay'],
  ['earthquake', ['drop-stream'], undefined],
  ['ab', ['cd'], undefined],
  ['x', ['how', 'y'], undefined],
  ['', ['how'], undefined],
  ['anything', [], undefined],
])('%j among %j: %j', (word, known, expected) => {
  expect(didYouMean(word, known)).toBe(expected);
});
