/** One call of a journal, and what is decided for it, in a line. */
import { inertText } from '../report/inert.ts';
import type { SeenCall } from '../schedule/explain.ts';

export function callLine({ at, method, tool, site, decision }: SeenCall): string {
  const when = `${(at / 1000).toFixed(3)} s`.padStart(10);
  const call = tool === '' ? method : `${method} ${tool}`;
  const fault =
    decision === undefined ? '-' : `${decision.fault} ${JSON.stringify(decision.params)}  (${decision.id})`;
  return inertText(`${when}  ${call}  ${site}  ${fault}`);
}
