/**
 * Changes one field of a block and no other byte: the proxy may own the ids of a stream while
 * comments, unknown fields and line-end style stay upstream's.
 */
import { CR, findLineEnd, LF, skipLineEnd } from './line-end.ts';
import { allocate, encodeText } from './slab.ts';

/** How a block is read before it is changed. */
export interface RewriteOptions {
  /**
   * Whether a leading BOM opens the stream (default) or, with `false`, is part of the first field's
   * name, as it is in every later block.
   */
  readonly first?: boolean;
}

/** Where new lines go in a block that has no such field yet. */
export type Place = 'first-line' | 'before-blank-line';

const COLON = 0x3a;

/**
 * Puts `lines` in the place of the first field called `name`; further ones go. With no lines the field
 * goes altogether. A line that is replaced keeps its own line end; an inserted one takes the line end
 * of the block's first line.
 */
export function replaceField(
  raw: Uint8Array,
  name: string,
  lines: readonly string[],
  place: Place,
  options: RewriteOptions,
): Uint8Array {
  const block = readBlock(raw, name, options);
  const [target, ...further] = block.fields;
  const edits: Edit[] = [];
  if (lines.length === 0) {
    for (const line of block.fields) edits.push(removal(raw, line));
  } else if (target !== undefined) {
    edits.push({ from: target.from, to: target.to, bytes: encodeText(lines.join(lineEnd(raw, target))) });
    for (const line of further) edits.push(removal(raw, line));
  } else {
    const at = place === 'first-line' ? block.firstLine.from : block.blankLine;
    const eol = lineEnd(raw, block.firstLine);
    // A CR in front of an LF would be one line end with it.
    const last = eol === '\r' && raw[at] === LF ? '\r\n' : eol;
    edits.push({ from: at, to: at, bytes: encodeText(lines.join(eol) + last) });
  }
  return apply(raw, edits);
}

interface Line {
  readonly from: number;
  /** Where its line end begins; the length of the block in an unfinished line. */
  readonly to: number;
}

interface Block {
  /** The first line with something in it; where there is none, the first blank one. */
  readonly firstLine: Line;
  /** Where the blank line that ends the block begins; the length where it is not there yet. */
  readonly blankLine: number;
  readonly fields: readonly Line[];
}

function readBlock(raw: Uint8Array, name: string, options: RewriteOptions): Block {
  const fields: Line[] = [];
  const begin = options.first !== false && raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0;
  let firstLine: Line | undefined;
  let from = begin;
  while (from < raw.length) {
    const to = findLineEnd(raw, from);
    if (to > from) {
      firstLine ??= { from, to };
      if (isField(raw, from, to, name)) fields.push({ from, to });
    } else if (firstLine !== undefined) {
      return { firstLine, blankLine: from, fields };
    }
    from = skipLineEnd(raw, to);
  }
  if (firstLine !== undefined) return { firstLine, blankLine: raw.length, fields };
  return { firstLine: { from: begin, to: findLineEnd(raw, begin) }, blankLine: begin, fields };
}

function isField(raw: Uint8Array, from: number, to: number, name: string): boolean {
  const end = from + name.length;
  if (end > to || (end < to && raw[end] !== COLON)) return false;
  for (let at = 0; at < name.length; at += 1) {
    if (raw[from + at] !== name.charCodeAt(at)) return false;
  }
  return true;
}

function lineEnd(raw: Uint8Array, line: Line): string {
  if (raw[line.to] !== CR) return '\n';
  return raw[line.to + 1] === LF ? '\r\n' : '\r';
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

/**
 * Between a CR in front and an LF behind, a line cannot just go: the two would be one CRLF, and the
 * blank line lost. There a comment line, which means nothing, keeps them apart.
 */
function removal(raw: Uint8Array, line: Line): Edit {
  const next = skipLineEnd(raw, line.to);
  const merges = line.from > 0 && raw[line.from - 1] === CR && raw[next] === LF;
  return merges
    ? { from: line.from, to: line.to, bytes: encodeText(':') }
    : { from: line.from, to: next, bytes: encodeText('') };
}

function apply(raw: Uint8Array, edits: readonly Edit[]): Uint8Array {
  let size = raw.byteLength;
  for (const edit of edits) size += edit.bytes.byteLength - (edit.to - edit.from);
  const whole = allocate(size);
  let read = 0;
  let write = 0;
  for (const edit of edits) {
    write = copy(raw, read, edit.from, whole, write);
    write = copy(edit.bytes, 0, edit.bytes.byteLength, whole, write);
    read = edit.to;
  }
  copy(raw, read, raw.byteLength, whole, write);
  return whole;
}

/** Copies and returns where it ended. A view and a call cost more than walking a short piece. */
function copy(source: Uint8Array, from: number, to: number, target: Uint8Array, at: number): number {
  if (to - from > 128) target.set(source.subarray(from, to), at);
  else for (let index = from; index < to; index += 1) target[at + index - from] = source[index]!;
  return at + to - from;
}
