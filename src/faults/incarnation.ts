/**
 * What another incarnation of a session sends: events that are valid in every revision, answer nothing,
 * and bear ids of its own numbering.
 */
import type { Contract } from '../cursor/contract.ts';
import { composeFrame } from '../sse/compose.ts';
import { type Effect, send } from './effect.ts';
import type { ResumeSubject } from './fault.ts';

/** An event with this id; `n` from 1 only tells the events apart. */
export function foreignEvent(id: string, n: number): Uint8Array {
  return composeFrame({ id, data: JSON.stringify(foreignMessage(n)) });
}

export function sendForeignEvents(ids: readonly string[]): readonly Effect[] {
  return ids.map((id, index) => send(foreignEvent(id, index + 1)));
}

function foreignMessage(n: number): object {
  const data = `event ${n} of another incarnation of this session`;
  return {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', logger: 'mcp-chaos', data },
  };
}

/**
 * Whether the client came back with an id of this stream's own. Else it has adopted one that a fault
 * invented, and is now a client of the other incarnation, which has nothing more to say.
 */
export function hasOwnCursor(subject: ResumeSubject): boolean {
  return subject.delivered.some((frame) => frame.id === subject.cursor);
}

/** The id `steps` after this one. An id that does not end in digits gets a suffix: it is opaque anyway. */
export function idAfter(id: string, steps: number): string {
  const number = numberOf(id);
  return number === undefined ? `${id}.${steps}` : withNumber(id, number + BigInt(steps));
}

/** The number an id ends in; `undefined` where it ends otherwise. */
export function numberOf(id: string): bigint | undefined {
  const digits = /[0-9]+$/.exec(id)?.[0];
  return digits === undefined ? undefined : BigInt(digits);
}

/** The id with another number at its end; one that does not end in digits stays as it is. */
export function withNumber(id: string, number: bigint): string {
  return id.replace(/[0-9]+$/, String(number));
}

/** The id `seq` in the numbering of the incarnation that follows the one `cursor` is from. */
export function idInNextEpoch(contract: Contract, cursor: string, seq: number): string {
  if (contract !== 'epoch') return String(seq);
  const epoch = /^([0-9]+):/.exec(cursor)?.[1];
  return `${epoch === undefined ? 2n : BigInt(epoch) + 1n}:${seq}`;
}

/** `count` items made from 0, 1, 2, … */
export function series<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
