/**
 * Golden vectors: seed 42 over a fixed suite. A change here changes what every recorded seed means, and is
 * an entry in the changelog.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { arm } from '../../src/schedule/arm.ts';
import { decisionsDigest } from '../../src/schedule/decisions-digest.ts';
import { arrive, profiles, suite } from './traffic.ts';

test.each(profiles.map((profile) => [profile.name, profile] as const))('%s', async (name, profile) => {
  const decisions = arrive(suite.flat()).flatMap((subject) => arm(profile, '42', subject) ?? []);
  const lines = decisions.map(
    ({ id, rule, fault, site, params }) => `${id} ${site} rule ${rule} ${fault} ${JSON.stringify(params)}`,
  );
  const text = `${[`digest ${decisionsDigest(decisions)}`, ...lines].join('\n')}\n`;
  await expect(text).toMatchFileSnapshot(`../golden/schedule/${name}.txt`);
});

test('no vector is left of a profile that is gone', () => {
  const folder = fileURLToPath(new URL('../golden/schedule', import.meta.url));
  expect(readdirSync(folder).sort()).toEqual(profiles.map(({ name }) => `${name}.txt`).sort());
});
