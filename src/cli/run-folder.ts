/** Where runs and sweeps leave their files, unless they are told: `.mcp-chaos/runs/<time>-<seed>/` and so on. */
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A new seed for a run that was given none: short enough to type. */
export function drawSeed(): string {
  return String(randomInt(1, 1_000_000_000));
}

/** A path that no earlier run has. Names sort by time. */
export function journalPathFor(seed: string, now: Date): string {
  return join(newFolder('runs', seed, now), 'journal.ndjson');
}

const sweepFile = 'sweep.ndjson';

/** A path that no earlier sweep has. Names sort by time. */
export function sweepPathFor(profile: string, now: Date): string {
  return join(newFolder('sweeps', basename(profile).replace(/\.ya?ml$/, ''), now), sweepFile);
}

/** The file of the sweep that began last; undefined where there is none. */
export function newestSweepPath(): string | undefined {
  const sweeps = join('.mcp-chaos', 'sweeps');
  if (!existsSync(sweeps)) return undefined;
  const newest = readdirSync(sweeps)
    .sort()
    .map((name) => join(sweeps, name, sweepFile))
    .findLast((path) => existsSync(path));
  return newest;
}

function newFolder(kind: 'runs' | 'sweeps', name: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const safe = name.replace(/[^\w.-]/g, '_').slice(0, 40);
  const folder = join('.mcp-chaos', kind, `${time}-${safe}`);
  let path = folder;
  for (let again = 2; existsSync(path); again += 1) path = `${folder}-${again}`;
  return path;
}
