/** Small pieces of the sentences in a finding. */
import type { Call } from './ledger/call.ts';

/** An id as it is shown in a sentence: whole, unless it is absurdly long. */
export function idText(id: string): string {
  if (id === '') return '(empty)';
  return id.length > 60 ? `${id.slice(0, 57)}…` : id;
}

export function callText(call: Call): string {
  return call.tool === null ? call.method : `${call.method} ${call.tool}`;
}

export function plural(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
