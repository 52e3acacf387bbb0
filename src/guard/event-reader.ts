/**
 * An incremental reader of `text/event-stream` (WHATWG HTML 9.2.5, 9.2.6), sized for the guard: it looks at
 * bytes on their way to the client and keeps none of them. Of each event it knows the id, a digest of the data,
 * and which requests the data answers. An event counts when its blank line has come, not before.
 *
 * Written as one loop over one mutable record: it runs over every byte of every stream.
 */
import { type AnswerReader, createAnswerReader, type RequestId, resetAnswerReader } from './answer-reader.ts';
import { emptyLanes } from './digest.ts';
import { beginValue, endData, readData, readId, readRetry } from './field-values.ts';

/** What `readEvents` stopped after: the blank line of an event, a line with an id, or the chunk's end. */
export type Stop = 'event' | 'id' | 'end';

export interface EventReader {
  stop: Stop;
  /** Stop after id lines too, so that an event can be judged before it is passed on. */
  stopAtId: boolean;
  /** The event just read, or the one under way. */
  hasId: boolean;
  hasData: boolean;
  idA: number;
  idB: number;
  dataA: number;
  dataB: number;
  /** Not a byte of data. */
  isEmpty: boolean;
  /** Requests answered by the event just read. */
  answers: readonly RequestId[];
  /** The last valid `retry`, in ms. */
  retryMs: number | undefined;
  /** No byte of an unfinished event has been read; else whether the last line is whole. */
  place: 'between' | 'line-start' | 'in-line';

  // What follows is the reader's own.
  field: Field;
  /** Bytes of a field name or short value that began in an earlier chunk. */
  carry: number[];
  /** The value began: one space after the colon still has to go. */
  space: boolean;
  afterCr: boolean;
  /** Bytes of a byte order mark still possible. */
  mark: number;
  /** The id line: where its value stands. */
  idChunk: Uint8Array;
  idFrom: number;
  idTo: number;
  answerReader: AnswerReader;
  /** Bytes of data not in the hashes yet, fewer than four. */
  word: number;
  wordBytes: number;
  /** The chunk, for whoever reads it by the word. */
  view: DataView;
  lineHasNul: boolean;
}

export type Field = 'start' | 'name' | 'data' | 'id' | 'retry' | 'skip';

const none = new Uint8Array(0);
const noAnswers: readonly RequestId[] = [];

export function createEventReader(): EventReader {
  return {
    stop: 'end',
    stopAtId: false,
    hasId: false,
    hasData: false,
    idA: emptyLanes.a,
    idB: emptyLanes.b,
    dataA: emptyLanes.a,
    dataB: emptyLanes.b,
    isEmpty: true,
    answers: noAnswers,
    retryMs: undefined,
    place: 'between',
    field: 'start',
    carry: [],
    space: false,
    afterCr: false,
    mark: 0,
    idChunk: none,
    idFrom: 0,
    idTo: 0,
    answerReader: createAnswerReader(),
    word: 0,
    wordBytes: 0,
    view: new DataView(none.buffer),
    lineHasNul: false,
  };
}

/** Reads on from `from`; returns the offset behind what it stopped after. */
export function readEvents(r: EventReader, chunk: Uint8Array, from: number): number {
  // Array lengths and what is computed of them are floating point to the compiler, but for `| 0`.
  const end = chunk.length | 0;
  let at = from | 0;
  if (from === 0) r.view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
  if (r.stop === 'event') beginEvent(r);
  r.stop = 'end';
  if (r.mark < 3) at = skipByteOrderMark(r, chunk, at);
  while (at < end) {
    if (r.afterCr) {
      r.afterCr = false;
      if (chunk[at] === LF) {
        at += 1;
        continue;
      }
    }
    switch (r.field) {
      case 'start':
        if (chunk[at] === LF || chunk[at] === CR) {
          r.afterCr = chunk[at] === CR;
          at += 1;
          if (r.place === 'between') continue;
          return endEvent(r, at);
        }
        r.place = 'in-line';
        at = beginLine(r, chunk, at);
        continue;
      case 'name':
        at = readName(r, chunk, at);
        continue;
      case 'data':
        at = readData(r, chunk, at);
        break;
      case 'id':
        at = readId(r, chunk, at);
        break;
      case 'retry':
        at = readRetry(r, chunk, at);
        break;
      case 'skip':
        while (at < end && chunk[at] !== LF && chunk[at] !== CR) at += 1;
    }
    if (at === end) return at;
    // At a line end.
    r.afterCr = chunk[at] === CR;
    at += 1;
    const { field } = r;
    r.field = 'start';
    r.place = 'line-start';
    if (field === 'id' && r.stopAtId) {
      r.stop = 'id';
      return at;
    }
  }
  return at;
}

/** The id that was read last, whether its event is complete or not. */
export function lastReadId(r: EventReader): string {
  return decodeId(r.idChunk, r.idFrom, r.idTo);
}

export function decodeId(chunk: Uint8Array, from: number, to: number): string {
  return decoder.decode(chunk.subarray(from, to));
}

const LF = 0x0a;
const CR = 0x0d;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function beginEvent(r: EventReader): void {
  r.hasId = false;
  r.hasData = false;
  r.answers = noAnswers;
  r.dataA = emptyLanes.a;
  r.dataB = emptyLanes.b;
  r.isEmpty = true;
}

function endEvent(r: EventReader, at: number): number {
  r.stop = 'event';
  r.place = 'between';
  endData(r);
  if (r.hasData) {
    r.answers = r.answerReader.answers;
    resetAnswerReader(r.answerReader);
  }
  return at;
}

/** The usual fields are recognised in place; a name that the chunk cuts, or another one, goes the long way. */
function beginLine(r: EventReader, chunk: Uint8Array, at: number): number {
  const left = chunk.length - at;
  if (left >= 5 && chunk[at] === 0x64 && chunk[at + 1] === 0x61 && chunk[at + 2] === 0x74) {
    if (chunk[at + 3] === 0x61 && chunk[at + 4] === 0x3a) {
      beginValue(r, 'data');
      return at + 5;
    }
  }
  if (left >= 3 && chunk[at] === 0x69 && chunk[at + 1] === 0x64 && chunk[at + 2] === 0x3a) {
    beginValue(r, 'id');
    return at + 3;
  }
  r.field = 'name';
  r.carry.length = 0;
  return at;
}

function readName(r: EventReader, chunk: Uint8Array, from: number): number {
  let at = from;
  for (; at < chunk.length; at += 1) {
    const byte = chunk[at]!;
    if (byte === 0x3a || byte === LF || byte === CR) {
      beginValue(r, fieldNamed(r.carry));
      // Without a colon the value is empty, and the line end is read by the value.
      return byte === 0x3a ? at + 1 : at;
    }
    // One byte more than the longest name of interest makes it another name.
    if (r.carry.length < 6) r.carry.push(byte);
  }
  return at;
}

function fieldNamed(bytes: readonly number[]): Field {
  const name = String.fromCharCode(...bytes);
  return name === 'data' || name === 'id' || name === 'retry' ? name : 'skip';
}

/** One byte order mark may open a stream (9.2.5). */
function skipByteOrderMark(r: EventReader, chunk: Uint8Array, from: number): number {
  const mark = [0xef, 0xbb, 0xbf];
  let at = from;
  while (r.mark < 3 && at < chunk.length && chunk[at] === mark[r.mark]) {
    r.mark += 1;
    at += 1;
  }
  if (r.mark < 3 && at < chunk.length) {
    // It was none: what looked like one is the beginning of a name.
    if (r.mark > 0) {
      r.field = 'name';
      r.place = 'in-line';
      r.carry = mark.slice(0, r.mark);
    }
    r.mark = 3;
  }
  return at;
}
