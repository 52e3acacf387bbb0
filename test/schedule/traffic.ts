/** A fixed suite as the schedule sees it, and ways to run it. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseProfile } from '../../src/profiles/parse.ts';
import type { Profile } from '../../src/profiles/schema.ts';
import type { ScheduleSubject } from '../../src/schedule/decision.ts';

const folder = fileURLToPath(new URL('../../profiles', import.meta.url));

export const profiles: readonly Profile[] = readdirSync(folder)
  .sort()
  .map((file) => parseProfile(readFileSync(`${folder}/${file}`, 'utf8'), file));

export function profileNamed(name: string): Profile {
  return profiles.find((profile) => profile.name === name)!;
}

/** One request as a lane sends it; its occurrence and ordinal are counted as it arrives. */
export interface Sent {
  readonly scope: string;
  readonly lane: string;
  readonly method: string;
  readonly tool: string;
  readonly digest: string;
}

/** What one client does: the handshake, the stand-alone stream, a list, and so many calls of two tools. */
export function session(scope: string, lane: string, calls: number): readonly Sent[] {
  const of = (method: string, tool = '', digest = ''): Sent => ({ scope, lane, method, tool, digest });
  return [
    of('initialize'),
    of('GET'),
    of('tools/list'),
    ...Array.from({ length: calls }, (_, n) =>
      of('tools/call', n % 3 === 2 ? 'charge' : 'count', `args${n % 5}`),
    ),
  ];
}

/** Numbers requests as a proxy does, in the order in which they come. */
export function arrive(order: Iterable<Sent>): readonly ScheduleSubject[] {
  const counts = new Map<string, number>();
  const bump = (key: string): number => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
  return Array.from(order, (sent) => {
    const lane = `${sent.scope}\n${sent.lane}`;
    const occurrence = bump([lane, sent.method, sent.tool, sent.digest].join('\n'));
    const ordinal = bump(`${lane}\n#${sent.method}`);
    const isGet = sent.method === 'GET';
    return {
      site: { upstream: 'upstream', ...sent, occurrence },
      call: {
        channel: isGet ? 'GET' : 'POST',
        method: sent.method,
        tool: sent.tool === '' ? undefined : sent.tool,
        revision: '2025-11-25',
        contract: 'monotonic:stream',
        hasSession: sent.method !== 'initialize',
      },
      ordinal,
    } satisfies ScheduleSubject;
  });
}

/** Four test files, each with its scope; one of them opens a second session. */
export const suite: readonly (readonly Sent[])[] = [
  session('a.test', 's1', 12),
  session('b.test', 's1', 6),
  session('b.test', 's2', 6),
  session('c.test', 's1', 12),
  session('a b/c?', 's1', 3),
];
