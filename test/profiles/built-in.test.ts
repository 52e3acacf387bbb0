/** The profiles that ship. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { faultNamed, faults } from '../../src/faults/index.ts';
import { parseProfile } from '../../src/profiles/parse.ts';
import { isControlRule } from '../../src/profiles/rule-control.ts';
import type { Profile, Rule } from '../../src/profiles/schema.ts';

const folder = fileURLToPath(new URL('../../profiles', import.meta.url));
const profiles: ReadonlyMap<string, Profile> = new Map(
  readdirSync(folder).map((file) => [
    file,
    parseProfile(readFileSync(`${folder}/${file}`, 'utf8'), `profiles/${file}`),
  ]),
);
const profile = (name: string): Profile => profiles.get(`${name}.yaml`)!;
const slugs = (rules: readonly Rule[]): readonly string[] =>
  [...new Set(rules.map(({ fault }) => fault))].sort();

test('each is named after its file and says in a sentence what it teaches', () => {
  expect(profiles.size).toBe(faults.length + 6);
  for (const [file, { name, description }] of profiles) {
    expect(`${name}.yaml`).toBe(file);
    expect(description).toMatch(/^[A-Z].{60,}\.$/);
  }
});

test('calm injects nothing and leaves ids alone', () => {
  expect(profile('calm')).toMatchObject({ contract: 'opaque', rules: [] });
});

test('reconnect has controls only, under ids of our own', () => {
  expect(profile('reconnect').rules.map(isControlRule)).toEqual([true, true]);
  expect(profile('reconnect').contract).toBe('monotonic:stream');
});

describe('desync', () => {
  test('has every signature of the seeds', () => {
    expect(slugs(profile('desync').rules)).toEqual([
      'change-session-id',
      'cut-mid-event',
      'diverge-replay',
      'drop-stream',
      'duplicate-response',
      'expire-session',
      'refuse-resume',
      'regress-cursor',
      'repeat-last-event',
      'replay-foreign-stream',
      'replay-from-start',
      'restart-session',
      'skip-events',
      'stall-stream',
      'swallow-replay',
      'swallow-response',
      'truncate-ids',
      'wrap-ids',
    ]);
  });

  test('touches tool calls and the stand-alone stream, never the handshake', () => {
    const methods = profile('desync').rules.flatMap(({ when }) => when.method ?? ['any']);
    expect([...new Set(methods)].sort()).toEqual(['GET', 'tools/call']);
  });

  test('owns ids that begin above those it regresses to', () => {
    const { contract, ids } = profile('desync');
    expect(contract).toBe('monotonic:stream');
    expect(ids.first).toBeGreaterThan(17);
  });

  test('its controls are always controls', () => {
    const mixed = profile('desync').rules.filter(
      (rule) => rule.fault === 'drop-stream' || rule.fault === 'cut-mid-event',
    );
    expect(mixed.map(isControlRule)).toEqual([true, true, true]);
  });
});

test('rolling-restart really restarts, and imitates what a restart looks like', () => {
  expect(slugs(profile('rolling-restart').rules)).toEqual([
    'diverge-replay',
    'kill-upstream',
    'replay-from-start',
    'restart-session',
    'restart-upstream',
    'skip-events',
  ]);
});

test('rolling-restart restarts the process where there is one to restart, else the session', () => {
  const session = profile('rolling-restart').rules.flatMap(({ fault, when }) =>
    when.managed === undefined ? [] : [[fault, when.managed]],
  );
  expect(session).toEqual([
    ['restart-session', false],
    ['restart-upstream', true],
    ['kill-upstream', true],
  ]);
});

test('idle-timeout asks for 8412 and 17 literally', () => {
  expect(profile('idle-timeout').rules[0]).toMatchObject({
    fault: 'regress-cursor',
    params: { from: { value: 8412 }, to: { value: 17 } },
    when: { method: ['tools/call'] },
    nth: 1,
  });
});

test('a rule is a control only if every draw is', () => {
  const drop = (where: readonly string[]): Rule => ({
    fault: 'drop-stream',
    params: { where: { draw: 'oneOf', of: where } },
    when: {},
    chance: 1,
  });
  expect(isControlRule(drop(['after-frame', 'before-response']))).toBe(true);
  expect(isControlRule(drop(['after-frame', 'before-first-id']))).toBe(false);
  expect(isControlRule({ ...drop([]), fault: 'no-such-fault' })).toBe(false);
});

test('no rule gives a parameter its default value, which would only be noise', () => {
  for (const [file, { rules }] of profiles) {
    for (const { fault, params } of rules) {
      const defaults = faultNamed(fault)!.bind({}).params;
      for (const [name, draw] of Object.entries(params)) {
        if (draw.draw === 'value' && !['after', 'to', 'at', 'retryAfterS'].includes(name)) {
          expect(draw.value, `${file} ${fault} ${name}`).not.toEqual(defaults[name]);
        }
      }
    }
  }
});
