import type { FactBody } from '../history/fact.ts';

/** Appends a fact to the history; returns its sequence number. */
export type Recorder = (body: FactBody) => number;

/** An error of ours while we handled an exchange: recorded and never thrown, and the judge blames nobody for it. */
export function recordError(record: Recorder, exchange: number, where: string, error: unknown): void {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  record({ kind: 'internal-error', exchange, where, message });
}
