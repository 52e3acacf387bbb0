/** The file in which the preload writes down what it did not send through the proxy, a line each. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { FactBody } from '../history/fact.ts';

export interface LeftAlone {
  readonly path: string;
  /** Appends what was left alone to the history, and removes the file. */
  record(record: (body: FactBody) => number, untouched: ReadonlyMap<string, number>): void;
  remove(): void;
}

export function openLeftAlone(path: string): LeftAlone {
  writeFileSync(path, '', { mode: 0o600 });
  const remove = (): void => rmSync(path, { force: true });
  return {
    path,
    record(record, untouched) {
      const counts = new Map(untouched);
      for (const reason of readFileSync(path, 'utf8').split('\n'))
        if (reason !== '') counts.set(reason, (counts.get(reason) ?? 0) + 1);
      for (const [reason, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
        record({ kind: 'left-alone', reason, count });
      remove();
    },
    remove,
  };
}
