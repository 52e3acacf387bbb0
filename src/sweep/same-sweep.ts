/** Numbers may be put together only where they are of one thing. */
import { ChaosError } from '../errors.ts';
import type { RunEndedRecord, SweepStarted } from './record.ts';

/** @throws ChaosError `usage` that names what differs. */
export function refuseOther(one: SweepStarted, other: SweepStarted): void {
  const same = ['version', 'profile', 'profileDigest', 'contract', 'command', 'flags', 'policy'] as const;
  for (const name of same) {
    const [a, b] = [JSON.stringify(one[name]), JSON.stringify(other[name])];
    if (a === b) continue;
    const what =
      name === 'profileDigest' ? `what the profile ${one.profile} says` : `the ${words[name] ?? name}`;
    throw new ChaosError('usage', `these are not parts of one sweep: ${what} differs, ${a} and ${b}`, {
      hint: 'Parts must have been made by one version of mcp-chaos with the same profile, command and flags.',
    });
  }
}

const words: Readonly<Record<string, string>> = { version: 'version of mcp-chaos', policy: 'judging' };

/** @throws ChaosError `usage` where a seed would count twice; `runs` are in the order of seeds. */
export function refuseTwice(runs: readonly RunEndedRecord[]): void {
  const twice = runs.find((run, index) => index > 0 && runs[index - 1]!.seed === run.seed);
  if (twice === undefined) return;
  throw new ChaosError('usage', `seed ${twice.seed} is in two of the files: it would count twice`, {
    hint: 'Name each file once, and shards of one split: --shard 1/4 and --shard 1/3 overlap.',
  });
}
