/**
 * The client's side of the cursor: WHATWG HTML 9.2.6. The last event ID moves when the blank line
 * arrives, before the check for empty data, so an id-only block moves it; no later block without an
 * id clears it; an empty `id` resets it. Give it finished blocks only.
 */
import type { Fields } from './fields.ts';

export interface Cursor {
  take(fields: Fields): void;
  /** What the next `Last-Event-ID` has to say; `''` = none, the header is not sent. */
  readonly value: string;
}

export function createCursor(): Cursor {
  let value = '';
  return {
    take(fields) {
      if (fields.id !== undefined) value = fields.id;
    },
    get value() {
      return value;
    },
  };
}
