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

/**
 * Reads the fields of a block. `first` says that the block opens its stream, where one leading BOM
 * is stripped. Blank lines in front (a late LF of the block before) mean nothing.
 */
export function readFields(raw: Uint8Array, options: { readonly first?: boolean } = {}): Fields {
  let text = decoder.decode(raw);
  if (options.first === true && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  const fields: { id?: string; event?: string; data?: string; retryMs?: number } = {};
  // A mixed CR and LF block is rare; LF alone needs no regular expression.
  for (const line of text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n')) {
    const colon = line.indexOf(':');
    if (line === '' || colon === 0) continue;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1);
    switch (name) {
      case 'data':
        fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`;
        break;
      case 'id':
        if (!value.includes('\0')) fields.id = value;
        break;
      case 'event':
        fields.event = value;
        break;
      case 'retry':
        if (/^[0-9]+$/.test(value)) fields.retryMs = Math.min(Number(value), Number.MAX_SAFE_INTEGER);
        break;
    }
  }
  return fields;
}
