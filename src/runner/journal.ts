/**
 * The journal on disk: one fact a line, written as the run goes.
 *
 * Recording stands on the path of every byte that a client reads, so a fact costs one encode into a
 * buffer that is kept for the whole run; the file is written once a turn of the event loop. The write is
 * synchronous on purpose: it goes to the page cache, it bounds what can be pending, and whatever was
 * recorded before this process died in an orderly way (`exit`, an uncaught exception) is on disk.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ChaosError } from '../errors.ts';
import { encodeFact } from '../history/codec.ts';
import type { Fact, FactBody } from '../history/fact.ts';

export interface Journal {
  readonly path: string;
  /** Appends a fact and returns its sequence number, from 1 without gaps. */
  record(body: FactBody): number;
  /** Calls `listener` with every fact from now on; returns the way to stop. */
  onRecord(listener: (fact: Fact) => void): () => void;
  /** Everything recorded so far is in the file when this returns. */
  flush(): void;
  /** Flushes and closes. Rejects where any line could not be written. */
  close(): Promise<void>;
}

export interface JournalOptions {
  /** Applied to each fact before it is written (`--redact`). */
  readonly redact?: (body: FactBody) => FactBody;
  /** Called once, when the file can no longer be written (disk full, folder gone). */
  readonly onFailure?: (error: ChaosError) => void;
}

/** Written before the turn ends once this much is pending. */
const pendingBytes = 1 << 18;
/** What one UTF-16 unit can need in UTF-8. */
const maxBytesPerChar = 3;

export function createJournal(path: string, options: JournalOptions = {}): Journal {
  const file = open(path);
  const startedAt = performance.now();
  const listeners = new Set<(fact: Fact) => void>();
  const pending = Buffer.allocUnsafeSlow(pendingBytes);
  let used = 0;
  let scheduled = false;
  let seq = 0;
  let closed = false;
  let failure: ChaosError | undefined;

  const write = (bytes: Uint8Array): void => {
    if (bytes.byteLength === 0 || failure !== undefined) return;
    try {
      writeAll(file, bytes);
    } catch (error) {
      failure = new ChaosError('internal', `${path} could not be written: ${(error as Error).message}`, {
        cause: error,
      });
      options.onFailure?.(failure);
    }
  };
  const flush = (): void => {
    scheduled = false;
    const lines = pending.subarray(0, used);
    used = 0;
    write(lines);
  };
  const append = (line: string): void => {
    const most = line.length * maxBytesPerChar;
    if (most > pendingBytes - used) flush();
    if (most > pendingBytes) write(Buffer.from(line));
    else used += pending.write(line, used);
  };
  process.on('exit', flush);

  return {
    path,
    record(body) {
      if (closed) return seq;
      seq += 1;
      const at = Math.round((performance.now() - startedAt) * 1000) / 1000;
      const fact: Fact = { seq, at, ...(options.redact?.(body) ?? body) };
      append(encodeFact(fact));
      if (!scheduled) {
        scheduled = true;
        setImmediate(flush);
      }
      for (const listener of listeners) listener(fact);
      return seq;
    },
    onRecord(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    flush,
    async close() {
      if (closed) return;
      flush();
      closed = true;
      process.off('exit', flush);
      closeSync(file);
      if (failure !== undefined) throw failure;
    },
  };
}

function open(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, 'w', 0o600);
  } catch (error) {
    throw new ChaosError('usage', `the journal ${path} cannot be created: ${(error as Error).message}`, {
      hint: 'Name a writable file with --journal <file>.',
      cause: error,
    });
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.byteLength) written += writeSync(file, bytes, written);
}
