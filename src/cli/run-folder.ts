/** Where a run leaves its journal, unless it is told: `.mcp-chaos/runs/<time>-<seed>/`. */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A new seed for a run that was given none: short enough to type. */
export function drawSeed(): string {
  return String(randomInt(1, 1_000_000_000));
}

/** A path that no earlier run has. Names sort by time. */
export function journalPathFor(seed: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const safeSeed = seed.replace(/[^\w.-]/g, '_').slice(0, 40);
  const folder = join('.mcp-chaos', 'runs', `${time}-${safeSeed}`);
  let path = folder;
  for (let again = 2; existsSync(path); again += 1) path = `${folder}-${again}`;
  return join(path, 'journal.ndjson');
}
