/**
 * Masks the messages inside an event stream, piece by piece: `data` lines are JSON in parts, comments
 * are hidden, every other field (`id`, `event`, `retry`) stays.
 */
import { createJsonMasker, type JsonMasker } from './mask-json.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const hidden = 0x78;

/** `key` has 16 bytes. One byte out for each byte in, whatever the cuts. */
export function createSseMasker(key: Uint8Array): JsonMasker {
  let json = createJsonMasker(key);
  /** The field's name so far; undefined once its colon was seen. */
  let name: string | undefined = '';
  let value: 'data' | 'comment' | 'other' = 'other';
  let lineIsEmpty = true;
  let afterReturn = false;

  const lineEnd = (): void => {
    if (lineIsEmpty) json = createJsonMasker(key);
    name = '';
    lineIsEmpty = true;
  };
  const one = (byte: number): number => {
    if (byte === lineFeed && afterReturn) {
      afterReturn = false;
      return byte;
    }
    afterReturn = byte === carriageReturn;
    if (byte === lineFeed || byte === carriageReturn) {
      lineEnd();
      return byte;
    }
    lineIsEmpty = false;
    if (name !== undefined) {
      if (byte !== colon) {
        if (name.length < 10) name += String.fromCharCode(byte);
        return byte;
      }
      // A byte order mark may stand before the first field.
      value = name === '' ? 'comment' : name.replace('\u00ef\u00bb\u00bf', '') === 'data' ? 'data' : 'other';
      name = undefined;
      return byte;
    }
    if (value === 'data') return json.mask(Uint8Array.of(byte))[0]!;
    return value === 'comment' && byte !== 0x20 ? hidden : byte;
  };
  return { mask: (bytes) => bytes.map(one) };
}
