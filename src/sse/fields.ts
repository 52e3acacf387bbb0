/**
 * The meaning of one SSE block: WHATWG HTML 9.2.6, "interpreting an event stream", for the fields of
 * a single block. Whether the block was finished by its blank line is the caller's business.
 */

export interface Fields {
  /** The last `id` field; `''` resets the cursor; absent where there is none, or only ones with NUL. */
  readonly id?: string;
  readonly event?: string;
  /** Data lines joined with LF; `''` for one empty line (dispatched); absent without a data line (not dispatched). */
  readonly data?: string;
  /** Milliseconds. Values beyond the safe integers are given as `Number.MAX_SAFE_INTEGER`. */
  readonly retryMs?: number;
}

// `ignoreBOM` keeps U+FEFF in the text: only the one that opens the stream is to be stripped.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const COLON = 0x3a;
const SPACE = 0x20;

/**
 * Reads the fields of a block. `first` says that the block opens its stream, where one leading BOM
 * is stripped. Blank lines in front (a late LF of the block before) mean nothing.
 */
export function readFields(raw: Uint8Array, options: { readonly first?: boolean } = {}): Fields {
  let text = decoder.decode(raw);
  if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
  const fields: { id?: string; event?: string; data?: string; retryMs?: number } = {};
  let from = options.first === true && text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (from < text.length) {
    let to = text.indexOf('\n', from);
    if (to === -1) to = text.length;
    if (isField(text, 'data', from, to)) {
      const value = valueAt(text, from + 4, to);
      fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`;
    } else if (isField(text, 'id', from, to)) {
      const value = valueAt(text, from + 2, to);
      if (!value.includes('\0')) fields.id = value;
    } else if (isField(text, 'event', from, to)) {
      fields.event = valueAt(text, from + 5, to);
    } else if (isField(text, 'retry', from, to)) {
      const value = valueAt(text, from + 5, to);
      if (/^[0-9]+$/.test(value)) fields.retryMs = Math.min(Number(value), Number.MAX_SAFE_INTEGER);
    }
    from = to + 1;
  }
  return fields;
}

/** Names are literal: no case folding, no trimming; a line without a colon is a name with an empty value. */
function isField(text: string, name: string, from: number, to: number): boolean {
  const end = from + name.length;
  return end <= to && text.startsWith(name, from) && (end === to || text.charCodeAt(end) === COLON);
}

/** The value after a name that ends at `end`; exactly one space after the colon is not part of it. */
function valueAt(text: string, end: number, to: number): string {
  if (end === to) return '';
  return text.slice(end + 1 < to && text.charCodeAt(end + 1) === SPACE ? end + 2 : end + 1, to);
}
