/** The file of a sweep on disk: made anew, or gone on with where an earlier process stopped. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ChaosError } from '../errors.ts';
import { fold } from '../sweep/fold.ts';
import { decodeSweep, encodeLine } from '../sweep/log.ts';
import type { SweepLine, SweepPart, SweepStarted } from '../sweep/record.ts';

export interface SweepFile {
  readonly path: string;
  /** What stood there before. */
  readonly before: SweepPart;
  /** On disk when it returns. */
  append(line: SweepLine): void;
  close(): void;
}

/** @throws ChaosError `usage` where there is a file already and it is not to be resumed, or is another sweep's. */
export function openSweepFile(path: string, started: SweepStarted, resume: boolean): SweepFile {
  const there = existsSync(path);
  if (there && !resume) {
    throw new ChaosError('usage', `--result ${path}: there is a sweep already`, {
      hint: 'Go on with it by --resume, or name another file.',
    });
  }
  if (there) trimTornLine(path);
  else create(path, started);
  const before = readSweepFile(path);
  if (there) refuseOtherSweep(path, before.started, started);
  const file = openSync(path, 'a', 0o600);
  return {
    path,
    before,
    append(line) {
      writeSync(file, encodeLine(line));
      fsyncSync(file);
    },
    close: () => closeSync(file),
  };
}

/** @throws ChaosError `usage` where it cannot be read, or is no sweep. */
export function readSweepFile(path: string): SweepPart {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new ChaosError(
      'usage',
      `the sweep ${path} cannot be read: ${missing ? 'it does not exist' : (error as Error).message}`,
      { hint: 'mcp-chaos sweep prints the path of its file at its end.', cause: error },
    );
  }
  return decodeSweep(text, path);
}

function create(path: string, started: SweepStarted): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, encodeLine(started));
    closeSync(file);
  } catch (error) {
    throw new ChaosError('usage', `--result ${path} cannot be created: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** A line that a killed process left half written would swallow the next one. */
function trimTornLine(path: string): void {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end > 0 && end < bytes.length) truncateSync(path, end);
}

/** The same header in everything: profile, command, flags, seeds and shard. */
function refuseOtherSweep(path: string, found: SweepStarted, wanted: SweepStarted): void {
  const rest = ({ seeds, shard }: SweepStarted): string =>
    `seeds ${seeds.from} to ${seeds.from + seeds.count - 1}, shard ${shard.index}/${shard.count}`;
  if (rest(found) !== rest(wanted)) {
    throw new ChaosError(
      'usage',
      `--resume: ${path} is another sweep: expected ${rest(wanted)}, found ${rest(found)}`,
      { hint: 'Give the flags of the sweep that is to go on, or name another file.' },
    );
  }
  const bare = { control: undefined, runs: [], ended: undefined, durationMs: 0 };
  fold([
    { ...bare, started: found },
    { ...bare, started: wanted },
  ]);
}
