/**
 * Reads out of a JSON-RPC message, byte by byte and without keeping it, which requests it answers.
 *
 * A result of 5 MB must not be kept to learn its id, and a notification must not cost a JSON.parse. So only
 * the members at the top are looked at; `method` before anything else says at once that it is no answer.
 * Arrays are the batches of 2025-03-26.
 */

export type RequestId = string | number;

export interface AnswerReader {
  /** Nothing further in this message can matter: its bytes need not be given. */
  done: boolean;
  /** Ids of the requests that this message answers, so far. */
  answers: RequestId[];
  /** Brackets open at this point. */
  depth: number;
  /** Depth of the members that count: 1, in a batch 2. */
  top: number;
  inString: boolean;
  escaped: boolean;
  /** At the top, where the next string is a member's name. */
  nameNext: boolean;
  /** The name of the member under way, six bytes of it in two numbers; longer ones are of no interest. */
  nameHigh: number;
  nameLow: number;
  nameLength: number;
  /** The member under way is the message's `id`. */
  atId: boolean;
  /** Bytes of the value of `id`. */
  kept: number[] | undefined;
  isAnswer: boolean;
  id: RequestId | undefined;
}

export function createAnswerReader(): AnswerReader {
  return {
    done: false,
    answers: [],
    depth: 0,
    top: 1,
    inString: false,
    escaped: false,
    nameNext: false,
    nameHigh: 0,
    nameLow: 0,
    nameLength: 0,
    atId: false,
    kept: undefined,
    isAnswer: false,
    id: undefined,
  };
}

/** Makes it ready for the next message. */
export function resetAnswerReader(reader: AnswerReader): void {
  reader.done = false;
  if (reader.answers.length > 0) reader.answers = [];
  reader.depth = 0;
  reader.top = 1;
  reader.inString = false;
  reader.escaped = false;
  reader.nameNext = false;
  reader.atId = false;
  reader.kept = undefined;
  reader.isAnswer = false;
  reader.id = undefined;
}

/** Longer ids than this are not looked for; nobody sends them. */
const maxKept = 4096;

export function readAnswerByte(reader: AnswerReader, byte: number): void {
  if (reader.inString) {
    readInString(reader, byte);
    return;
  }
  switch (byte) {
    case 0x22: // "
      reader.inString = true;
      if (reader.depth !== reader.top) return;
      if (reader.nameNext) reader.nameHigh = reader.nameLow = reader.nameLength = 0;
      else if (reader.atId) keep(reader, byte);
      return;
    case 0x7b: // {
      reader.depth += 1;
      if (reader.depth === reader.top) beginMessage(reader);
      return;
    case 0x5b: // [
      if (reader.depth === 0) reader.top = 2;
      reader.depth += 1;
      return;
    case 0x7d: // }
      if (reader.depth === reader.top) endMessage(reader);
      reader.depth -= 1;
      return;
    case 0x5d: // ]
      reader.depth -= 1;
      if (reader.depth === 0) reader.done = true;
      return;
    case 0x3a: // :
      if (reader.depth === reader.top) reader.nameNext = false;
      return;
    case 0x2c: // ,
      if (reader.depth === reader.top) endMember(reader);
      return;
    default:
      if (reader.atId && reader.depth === reader.top && !reader.nameNext) keep(reader, byte);
      // Text that is no message at all.
      else if (reader.depth === 0 && byte > 0x20) reader.done = true;
  }
}

function readInString(reader: AnswerReader, byte: number): void {
  const topLevel = reader.depth === reader.top;
  if (topLevel && reader.atId && !reader.nameNext) keep(reader, byte);
  if (reader.escaped) reader.escaped = false;
  else if (byte === 0x5c) reader.escaped = true;
  else if (byte === 0x22) {
    reader.inString = false;
    if (topLevel && reader.nameNext) endName(reader);
    return;
  }
  if (!topLevel || !reader.nameNext) return;
  reader.nameLength += 1;
  if (reader.nameLength <= 3) reader.nameHigh = (reader.nameHigh << 8) | byte;
  else if (reader.nameLength <= 6) reader.nameLow = (reader.nameLow << 8) | byte;
}

function keep(reader: AnswerReader, byte: number): void {
  reader.kept ??= [];
  if (reader.kept.length < maxKept) reader.kept.push(byte);
}

function beginMessage(reader: AnswerReader): void {
  reader.nameNext = true;
  reader.atId = false;
  reader.kept = undefined;
  reader.isAnswer = false;
  reader.id = undefined;
}

function endName(reader: AnswerReader): void {
  const is = (name: Name): boolean =>
    reader.nameLength === name.length && reader.nameHigh === name.high && reader.nameLow === name.low;
  reader.atId = is(idName);
  if (reader.top === 1 && is(methodName)) reader.done = true;
  if (is(resultName) || is(errorName)) reader.isAnswer = true;
  conclude(reader);
}

function endMember(reader: AnswerReader): void {
  if (reader.atId) {
    const id = takeKept(reader);
    if (typeof id === 'string' || typeof id === 'number') reader.id = id;
  }
  reader.nameNext = true;
  reader.atId = false;
  conclude(reader);
}

function endMessage(reader: AnswerReader): void {
  endMember(reader);
  if (reader.top === 1) reader.done = true;
}

function conclude(reader: AnswerReader): void {
  if (!reader.isAnswer || reader.id === undefined) return;
  reader.answers.push(reader.id);
  reader.id = undefined;
  if (reader.top === 1) reader.done = true;
}

function takeKept(reader: AnswerReader): unknown {
  const { kept } = reader;
  reader.kept = undefined;
  if (kept === undefined) return undefined;
  try {
    return JSON.parse(decoder.decode(new Uint8Array(kept)));
  } catch {
    // Not JSON: the client will say so; there is no id to read.
    return undefined;
  }
}

const decoder = new TextDecoder();

interface Name {
  readonly length: number;
  readonly high: number;
  readonly low: number;
}

function packed(name: string): Name {
  const pack = (part: string): number => [...part].reduce((sum, char) => (sum << 8) | char.charCodeAt(0), 0);
  return { length: name.length, high: pack(name.slice(0, 3)), low: pack(name.slice(3)) };
}

const idName = packed('id');
const methodName = packed('method');
const resultName = packed('result');
const errorName = packed('error');
