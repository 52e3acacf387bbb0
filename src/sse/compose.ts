/** Writes SSE blocks, and gives a block that upstream wrote another id or other data. */
import { type RewriteOptions, replaceField } from './replace-field.ts';
import { encodeText } from './slab.ts';

export interface FrameParts {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  /** Milliseconds. */
  readonly retryMs?: number;
  readonly comment?: string;
}

/**
 * One block with LF line ends. Line breaks in `data` and `comment` make further lines; in `id` and
 * `event`, which cannot hold any, they are a `RangeError`, as is NUL in `id`.
 */
export function composeFrame(parts: FrameParts): Uint8Array {
  let text = '';
  if (parts.comment !== undefined) for (const line of splitLines(parts.comment)) text += `: ${line}\n`;
  if (parts.event !== undefined) text += `${field('event', checkLine('event', parts.event))}\n`;
  if (parts.id !== undefined) text += `${field('id', checkId(parts.id))}\n`;
  if (parts.retryMs !== undefined) text += `${field('retry', checkRetry(parts.retryMs))}\n`;
  if (parts.data !== undefined) for (const line of splitLines(parts.data)) text += `${field('data', line)}\n`;
  return encodeText(`${text}\n`);
}

/**
 * Gives the block this id, or none with `null`. Further `id` fields go, so that the new one counts;
 * without any the id is inserted as the first line.
 */
export function withId(raw: Uint8Array, id: string | null, options: RewriteOptions = {}): Uint8Array {
  return replaceField(raw, 'id', id === null ? [] : [field('id', checkId(id))], 'first-line', options);
}

/** Gives the block this data, in the place of its first data line, else before its blank line. */
export function withData(raw: Uint8Array, data: string, options: RewriteOptions = {}): Uint8Array {
  const lines = splitLines(data).map((line) => field('data', line));
  return replaceField(raw, 'data', lines, 'before-blank-line', options);
}

/** Takes the block's name off, so that it is a `message`. */
export function withoutEventName(raw: Uint8Array, options: RewriteOptions): Uint8Array {
  return replaceField(raw, 'event', [], 'first-line', options);
}

function field(name: string, value: string): string {
  return value === '' ? `${name}:` : `${name}: ${value}`;
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

function checkLine(name: string, value: string): string {
  if (!/[\r\n]/.test(value)) return value;
  throw new RangeError(
    `SSE field "${name}": expected one line, found a line break in ${JSON.stringify(value)}`,
  );
}

function checkId(id: string): string {
  if (!id.includes('\0')) return checkLine('id', id);
  throw new RangeError(
    `SSE field "id": expected no NUL, with which readers ignore the field (WHATWG HTML 9.2.6), found ${JSON.stringify(id)}`,
  );
}

function checkRetry(retryMs: number): string {
  // Digits only on the wire: 1e21 or -1 would be a field that readers ignore.
  if (Number.isInteger(retryMs) && retryMs >= 0) return BigInt(retryMs).toString();
  throw new RangeError(`SSE field "retry": expected whole milliseconds from 0, found ${retryMs}`);
}
