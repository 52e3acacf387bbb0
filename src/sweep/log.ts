/** A sweep's file: one JSON object a line, only ever appended to. */
import * as z from 'zod';
import { ChaosError } from '../errors.ts';
import { upToFirstFailure } from './first-failure.ts';
import type { ControlEnded, RunEndedRecord, SweepEnded, SweepLine, SweepPart } from './record.ts';

export function encodeLine(line: SweepLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** What the header must say for the rest to be read at all. */
const header = z.object({
  kind: z.literal('sweep-started'),
  format: z.literal(1),
  seeds: z.object({ from: z.int(), count: z.int() }),
  shard: z.object({ index: z.int(), count: z.int() }),
});

/**
 * Reads a file back. The last line may be cut off where the writer was killed: that run is as if it had not
 * ended. A seed that stands there twice counts once, as it ended first. `file` is used in messages only.
 */
export function decodeSweep(text: string, file: string): SweepPart {
  const lines: SweepLine[] = [];
  const written = text.split('\n');
  for (const [index, line] of written.entries()) {
    if (line === '') continue;
    try {
      lines.push(JSON.parse(line) as SweepLine);
    } catch (error) {
      if (index === written.length - 1) break;
      throw damaged(file, `line ${index + 1} is not JSON (${(error as Error).message})`);
    }
  }
  const [started] = lines;
  const found = header.safeParse(started);
  if (started?.kind !== 'sweep-started' || !found.success) {
    throw damaged(
      file,
      started === undefined ? 'it is empty' : 'its first line is not the header of a sweep',
    );
  }
  const runs = new Map<number, RunEndedRecord>();
  let control: ControlEnded | undefined;
  let ended: SweepEnded | undefined;
  let durationMs = 0;
  for (const line of lines.slice(1)) {
    if (line.kind === 'control-ended') control = line;
    else if (line.kind === 'sweep-ended') {
      ended = line;
      durationMs += line.durationMs;
    } else if (line.kind === 'run-ended') {
      // It went on after its end: that end is no longer the last word.
      ended = undefined;
      if (!runs.has(line.seed)) runs.set(line.seed, line);
    }
  }
  const all = [...runs.values()];
  const counting = ended?.reason === 'first-failure' ? upToFirstFailure(started, all) : all;
  return { started, control, runs: counting, ended, durationMs };
}

function damaged(file: string, found: string): ChaosError {
  return new ChaosError('usage', `${file} is no sweep: ${found}`, {
    hint: 'Expected the file that mcp-chaos sweep writes (--result), one JSON object a line.',
  });
}
