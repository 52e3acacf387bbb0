import type { Effect } from '../faults/effect.ts';
import type { ClientSide } from './client-side.ts';
import type { RunContext } from './run-context.ts';

/** A whole answer of a decision's own, in place of upstream's. */
export async function answerInstead(
  run: RunContext,
  client: ClientSide,
  { status, headers, body }: Omit<Extract<Effect, { readonly do: 'respond' }>, 'do'>,
  decision: string | undefined,
): Promise<void> {
  client.head({ status, headers: Object.entries(headers).flat() }, 'client', decision);
  if (body !== '') client.write(Buffer.from(body), 'client', decision);
  run.watch(await client.end('complete', 'client', 'proxy', decision));
}
