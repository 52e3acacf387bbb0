/** The values of the fields that matter, read in place; see event-reader.ts for the lines around them. */
import { readAnswerByte } from './answer-reader.ts';
import { emptyLanes, primeA, primeB } from './digest.ts';
import type { EventReader, Field } from './event-reader.ts';

const LF = 0x0a;
const CR = 0x0d;

export function beginValue(r: EventReader, field: Field): void {
  r.field = field;
  r.space = true;
  if (field === 'data') {
    if (r.hasData) {
      r.dataA = Math.imul(r.dataA ^ LF, primeA);
      r.dataB = Math.imul(r.dataB ^ LF, primeB);
      if (!r.answerReader.done) readAnswerByte(r.answerReader, LF);
    }
    r.hasData = true;
  } else if (field === 'id') {
    r.lineA = emptyLanes.a;
    r.lineB = emptyLanes.b;
    r.lineHasNul = false;
  }
  if (field !== 'data' && field !== 'skip') r.carry.length = 0;
}

function skipSpace(r: EventReader, chunk: Uint8Array, at: number): number {
  if (!r.space) return at;
  r.space = false;
  return chunk[at] === 0x20 ? at + 1 : at;
}

export function readData(r: EventReader, chunk: Uint8Array, from: number): number {
  const end = chunk.length;
  const { answerReader } = r;
  let at = skipSpace(r, chunk, from);
  let a = r.dataA;
  let b = r.dataB;
  while (!answerReader.done && at < end) {
    const byte = chunk[at]!;
    if (byte === LF || byte === CR) break;
    readAnswerByte(answerReader, byte);
    a = Math.imul(a ^ byte, primeA);
    b = Math.imul(b ^ byte, primeB);
    at += 1;
  }
  while (at < end) {
    const byte = chunk[at]!;
    if (byte === LF || byte === CR) break;
    a = Math.imul(a ^ byte, primeA);
    b = Math.imul(b ^ byte, primeB);
    at += 1;
  }
  r.dataA = a;
  r.dataB = b;
  return at;
}

export function readId(r: EventReader, chunk: Uint8Array, from: number): number {
  const start = skipSpace(r, chunk, from);
  const end = chunk.length;
  let at = start;
  for (; at < end; at += 1) {
    const byte = chunk[at]!;
    if (byte === LF || byte === CR) break;
    if (byte === 0) r.lineHasNul = true;
    r.lineA = Math.imul(r.lineA ^ byte, primeA);
    r.lineB = Math.imul(r.lineB ^ byte, primeB);
  }
  if (at === end || r.carry.length > 0) for (let i = start; i < at; i += 1) r.carry.push(chunk[i]!);
  // An id that holds a NUL is no id (9.2.6).
  if (at === end || r.lineHasNul) return at;
  const whole = r.carry.length === 0;
  r.idChunk = whole ? chunk : Uint8Array.from(r.carry);
  r.idFrom = whole ? start : 0;
  r.idTo = whole ? at : r.idChunk.length;
  r.hasId = true;
  r.idA = r.lineA;
  r.idB = r.lineB;
  return at;
}

export function readRetry(r: EventReader, chunk: Uint8Array, from: number): number {
  let at = skipSpace(r, chunk, from);
  for (; at < chunk.length; at += 1) {
    const byte = chunk[at]!;
    if (byte === LF || byte === CR) {
      const digits = String.fromCharCode(...r.carry);
      // ASCII digits only (9.2.6); `1e3`, `-5` and `1_000` are ignored.
      if (/^[0-9]+$/.test(digits)) r.retryMs = Number(digits);
      break;
    }
    if (r.carry.length < 400) r.carry.push(byte);
  }
  return at;
}
