/**
 * Writes SSE blocks, and changes one field of a block without touching the rest: the proxy may own
 * the ids of a stream while every other byte, line-end style included, stays upstream's.
 */

const encoder = new TextEncoder();
const LF = 10;
const CR = 13;

export interface FrameParts {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retryMs?: number;
  readonly comment?: string;
}

/** One block with LF line ends. Line breaks in `data` and `comment` make further lines. */
export function composeFrame(parts: FrameParts): Uint8Array {
  const lines: string[] = [];
  if (parts.comment !== undefined) for (const line of splitLines(parts.comment)) lines.push(`: ${line}`);
  if (parts.event !== undefined) lines.push(field('event', oneLine('event', parts.event)));
  if (parts.id !== undefined) lines.push(field('id', checkId(parts.id)));
  if (parts.retryMs !== undefined) lines.push(field('retry', checkRetry(parts.retryMs)));
  if (parts.data !== undefined) for (const line of splitLines(parts.data)) lines.push(field('data', line));
  return encoder.encode(`${lines.map((line) => `${line}\n`).join('')}\n`);
}

/** How a block is read before it is changed. */
export interface RewriteOptions {
  /**
   * Whether a leading BOM opens the stream (default) or, with `false`, is part of the first field's
   * name, as it is in every later block.
   */
  readonly first?: boolean;
}

/**
 * Gives the block this id, or none with `null`. The first `id` field is replaced in place and further
 * ones go; without one the id is inserted as the first line, with the line end of that line.
 */
export function withId(raw: Uint8Array, id: string | null, options: RewriteOptions = {}): Uint8Array {
  const lines = id === null ? [] : [field('id', checkId(id))];
  return replaceField(raw, 'id', lines, 'front', options);
}

/** Gives the block this data, in the place of its first data line, else before its blank line. */
export function withData(raw: Uint8Array, data: string, options: RewriteOptions = {}): Uint8Array {
  const lines = splitLines(data).map((line) => field('data', line));
  return replaceField(raw, 'data', lines, 'back', options);
}

interface Line {
  readonly from: number;
  /** End of the text, start of the line end. */
  readonly to: number;
  /** End of the line end; equal to `to` in an unfinished last line. */
  readonly next: number;
}

function replaceField(
  raw: Uint8Array,
  name: string,
  replacement: readonly string[],
  place: 'front' | 'back',
  options: RewriteOptions,
): Uint8Array {
  const start = options.first !== false && raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0;
  const lines = readLines(raw, start);
  const body = lines.filter((line) => line.to > line.from);
  const eol = lineEnd(raw, body[0] ?? lines[0]);
  const inserted = replacement.map((line) => encoder.encode(line + eol));
  const out = createOutput();
  out.add(raw.subarray(0, start));

  const target = body.find((line) => isField(raw, line, name));
  const before = target ?? (place === 'front' ? body[0] : lines[lines.indexOf(body[body.length - 1]!) + 1]);
  let done = false;
  for (const line of lines) {
    if (line === before) {
      for (const bytes of inserted) out.add(bytes);
      done = true;
    }
    if (!isField(raw, line, name)) out.add(raw.subarray(line.from, line.next));
    else if (out.endsWithCr() && raw[line.next] === LF && (line !== target || inserted.length === 0)) {
      // Taking this line away would make one CRLF of the CR before it and the LF behind it, and lose
      // a line end. A comment line in its place means nothing and keeps them apart.
      out.add(encoder.encode(`:${lineEnd(raw, line)}`));
    }
  }
  if (!done) for (const bytes of inserted) out.add(bytes);
  return out.whole();
}

function readLines(raw: Uint8Array, start: number): Line[] {
  const lines: Line[] = [];
  let from = start;
  for (let at = start; at < raw.length; at += 1) {
    const byte = raw[at];
    if (byte !== LF && byte !== CR) continue;
    const next = byte === CR && raw[at + 1] === LF ? at + 2 : at + 1;
    lines.push({ from, to: at, next });
    from = next;
    at = next - 1;
  }
  if (from < raw.length) lines.push({ from, to: raw.length, next: raw.length });
  return lines;
}

function isField(raw: Uint8Array, line: Line, name: string): boolean {
  const end = line.from + name.length;
  if (end > line.to || (end < line.to && raw[end] !== 0x3a)) return false;
  for (let at = 0; at < name.length; at += 1) {
    if (raw[line.from + at] !== name.charCodeAt(at)) return false;
  }
  return true;
}

function lineEnd(raw: Uint8Array, line: Line | undefined): string {
  if (line === undefined || line.next === line.to) return '\n';
  if (raw[line.to] === LF) return '\n';
  return line.next - line.to === 2 ? '\r\n' : '\r';
}

function createOutput() {
  const pieces: Uint8Array[] = [];
  let total = 0;
  return {
    add(piece: Uint8Array): void {
      if (piece.byteLength === 0) return;
      pieces.push(piece);
      total += piece.byteLength;
    },
    endsWithCr(): boolean {
      const last = pieces[pieces.length - 1];
      return last !== undefined && last[last.byteLength - 1] === CR;
    },
    whole(): Uint8Array {
      const whole = new Uint8Array(total);
      let at = 0;
      for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.byteLength;
      }
      return whole;
    },
  };
}

function field(name: string, value: string): string {
  return value === '' ? `${name}:` : `${name}: ${value}`;
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

function oneLine(name: string, value: string): string {
  if (/[\r\n]/.test(value))
    throw new RangeError(
      `SSE field "${name}": a value of one line was expected, found a line break in ${JSON.stringify(value)}`,
    );
  return value;
}

function checkId(id: string): string {
  if (id.includes('\0'))
    throw new RangeError(
      `SSE field "id": a value without NUL was expected (WHATWG HTML 9.2.6 ignores such a field), found ${JSON.stringify(id)}`,
    );
  return oneLine('id', id);
}

function checkRetry(retryMs: number): string {
  if (!Number.isSafeInteger(retryMs) || retryMs < 0)
    throw new RangeError(`SSE field "retry": whole milliseconds from 0 were expected, found ${retryMs}`);
  return String(retryMs);
}
