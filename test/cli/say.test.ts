import { expect, test } from 'vitest';
import { wantsColour } from '../../src/cli/say.ts';

const terminal = { isTTY: true };
const pipe = {};

test.each([
  ['a terminal', terminal, {}, true],
  ['a pipe', pipe, {}, false],
  ['a terminal that understands nothing', terminal, { TERM: 'dumb' }, false],
  ['NO_COLOR', terminal, { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR, which means nothing', terminal, { NO_COLOR: '' }, true],
  ['FORCE_COLOR in a pipe', pipe, { FORCE_COLOR: '1' }, true],
  ['FORCE_COLOR=0 in a terminal', terminal, { FORCE_COLOR: '0' }, false],
  ['both, where NO_COLOR wins', terminal, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
] as const)('%s', (_what, screen, environment, wanted) => {
  expect(wantsColour(screen, environment)).toBe(wanted);
});
