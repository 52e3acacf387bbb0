import { describe, expect, it } from 'vitest';
import { parseProfile } from '../../src/profiles/parse.ts';
import { arm } from '../../src/schedule/arm.ts';
import { arrive, session } from './traffic.ts';

const text = `
name: x
description: x
contract: monotonic:stream
sessionFaults: 0.5
rules:
  - { fault: stall-stream, chance: 1, when: { method: tools/call, scope: [deaf/*, "*-slow"] } }
  - { fault: expire-session, chance: 1, when: { method: tools/call, scope: session/* } }
`;
const profile = parseProfile(text, 'x.yaml');

function armed(scope: string): readonly (string | undefined)[] {
  return arrive(session(scope, 's1', 3))
    .filter(({ call }) => call.method === 'tools/call')
    .map((subject) => arm(profile, '1', subject)?.fault);
}

describe('a rule about managed upstreams', () => {
  const rolling = parseProfile(
    `
name: x
description: x
contract: monotonic:stream
rules:
  - { fault: restart-session, chance: 1, when: { method: tools/call, managed: false } }
  - { fault: restart-upstream, chance: 1, when: { method: tools/call, managed: true } }
`,
    'x.yaml',
  );

  it.each([
    [undefined, 'restart-session'],
    [false, 'restart-session'],
    [true, 'restart-upstream'],
  ])('where managed is %s: %s', (managed, fault) => {
    const calls = arrive(session('', 's1', 3)).filter(({ call }) => call.method === 'tools/call');
    const found = calls.map(
      (subject) => arm(rolling, '1', managed === undefined ? subject : { ...subject, managed })?.fault,
    );
    expect(found).toEqual(Array(3).fill(fault));
  });
});

describe('a rule with scopes', () => {
  it.each(['deaf/a', 'deaf/', 'very-slow', '-slow'])('is for %s', (scope) => {
    expect(armed(scope)).toEqual(Array(3).fill('stall-stream'));
  });

  it.each(['deaf', 'xdeaf/a', 'slow', 'very-slow2', 'main'])('is not for %s', (scope) => {
    expect(armed(scope)).toEqual(Array(3).fill(undefined));
  });

  it('of one kind only leaves nothing to draw: every lane there is of that kind', () => {
    expect(armed('session/a')).toEqual(Array(3).fill('expire-session'));
  });
});
