/**
 * Reads an event stream as WHATWG HTML 9.2.6 says: LF, CR and CRLF end a line, one BOM is dropped, the id
 * moves only at the empty line, and an event that is cut before it is no event.
 */

/**
 * Yields `{ id, data, retry }` for each whole block, each undefined where the block has no such field.
 * `cut(id)` is called at the end with the id field of a block that was cut short, if it had one.
 */
export async function* events(body, cut = () => {}) {
  const decoder = new TextDecoder();
  let rest = '';
  let afterCr = false;
  let block = {};

  try {
    for await (const bytes of body) {
      let text = decoder.decode(bytes, { stream: true });
      if (afterCr && text.startsWith('\n')) text = text.slice(1);
      if (text !== '') afterCr = text.endsWith('\r');
      const lines = (rest + text).split(/\r\n|\r|\n/);
      rest = lines.pop();
      for (const line of lines) {
        if (line !== '') field(line);
        else if (Object.keys(block).length > 0) {
          const { id, data, retry } = block;
          block = {};
          yield { id, data: data?.join('\n'), retry };
        }
      }
    }
  } finally {
    if (rest !== '') field(rest);
    if ('id' in block) cut(block.id);
  }

  function field(line) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line);
    if (name === 'data') block.data = [...(block.data ?? []), value];
    else if (name === 'id' && !value.includes('\0')) block.id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) block.retry = Number(value);
  }
}
