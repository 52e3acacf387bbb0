/** The values of the fields that matter, read in place; see event-reader.ts for the lines around them. */
import { readAnswerByte } from './answer-reader.ts';
import { finish, hashBytes, mixA, mixB } from './digest.ts';
import type { EventReader, Field } from './event-reader.ts';

const LF = 0x0a;
const CR = 0x0d;

export function beginValue(r: EventReader, field: Field): void {
  r.field = field;
  r.space = true;
  if (field === 'data') {
    if (r.hasData) {
      hashByte(r, LF);
      if (!r.answerReader.done) readAnswerByte(r.answerReader, LF);
    }
    r.hasData = true;
  } else if (field === 'id') {
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
  const end = chunk.length | 0;
  const { answerReader } = r;
  let at = skipSpace(r, chunk, from) | 0;
  // The usual beginning of what is no answer, at one look.
  if (!answerReader.done && answerReader.depth === 0 && isMethodFirst(chunk, at)) answerReader.done = true;
  while (at < end && (!answerReader.done || r.wordBytes !== 0)) {
    const byte = chunk[at]!;
    if (byte === LF || byte === CR) return at;
    if (!answerReader.done) readAnswerByte(answerReader, byte);
    hashByte(r, byte);
    at += 1;
  }
  let a = r.dataA;
  let b = r.dataB;
  const start = at;
  while (at + 3 < end) {
    const word = r.view.getInt32(at, true);
    // One of the four bytes is under 14: a line end, perhaps; JSON has no other control characters.
    if (((word - 0x0e0e0e0e) & ~word & 0x80808080) !== 0) break;
    a = mixA(a, word);
    b = mixB(b, a);
    at += 4;
  }
  if (at > start) {
    r.dataA = a;
    r.dataB = b;
    r.isEmpty = false;
  }
  while (at < end) {
    const byte = chunk[at]!;
    if (byte === LF || byte === CR) break;
    hashByte(r, byte);
    at += 1;
  }
  return at;
}

function hashByte(r: EventReader, byte: number): void {
  r.isEmpty = false;
  r.word |= byte << (8 * r.wordBytes);
  r.wordBytes += 1;
  if (r.wordBytes < 4) return;
  r.dataA = mixA(r.dataA, r.word);
  r.dataB = mixB(r.dataB, r.dataA);
  r.word = 0;
  r.wordBytes = 0;
}

/** The event is whole. */
export function endData(r: EventReader): void {
  const { a, b } = finish({ a: r.dataA, b: r.dataB }, r.word, r.wordBytes);
  r.dataA = a;
  r.dataB = b;
  r.word = 0;
  r.wordBytes = 0;
}

/**
 * `{"method"` stands here. As everywhere in this reader, nothing looks past the chunk's end: compiled code gives up at
 * the first such look, and each place that did so cost a compilation.
 */
function isMethodFirst(chunk: Uint8Array, at: number): boolean {
  return (
    at + 9 <= chunk.length &&
    chunk[at] === 0x7b &&
    chunk[at + 1] === 0x22 &&
    chunk[at + 2] === 0x6d &&
    chunk[at + 3] === 0x65 &&
    chunk[at + 4] === 0x74 &&
    chunk[at + 5] === 0x68 &&
    chunk[at + 6] === 0x6f &&
    chunk[at + 7] === 0x64 &&
    chunk[at + 8] === 0x22
  );
}

export function readId(r: EventReader, chunk: Uint8Array, from: number): number {
  const start = skipSpace(r, chunk, from);
  const end = chunk.length;
  let at = start;
  for (; at < end; at += 1) {
    const byte = chunk[at]!;
    if (byte === LF || byte === CR) break;
    if (byte === 0) r.lineHasNul = true;
  }
  if (at === end || r.carry.length > 0) for (let i = start; i < at; i += 1) r.carry.push(chunk[i]!);
  // An id that holds a NUL is no id (9.2.6).
  if (at === end || r.lineHasNul) return at;
  const whole = r.carry.length === 0;
  r.idChunk = whole ? chunk : Uint8Array.from(r.carry);
  r.idFrom = whole ? start : 0;
  r.idTo = whole ? at : r.idChunk.length;
  r.hasId = true;
  const { a, b } = hashBytes(r.idChunk, r.idFrom, r.idTo);
  r.idA = a;
  r.idB = b;
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
