/** Nothing was at stake: the client goes on with its work, or ends in peace. */

import type { Docket } from '../docket.ts';
import type { Happening } from '../ledger/happening.ts';

export function reactWithComposure(told: Happening, docket: Docket): void {
  if (told.type !== 'calls' && told.type !== 'delete') return;
  for (const one of docket.openIn(told.exchange.session)) {
    const { kind } = one.occasion;
    if (one.call === undefined || one.doubtful || (kind !== 'altered' && kind !== 'answered-twice')) continue;
    docket.settle(one, {
      outcome: 'recovered',
      confidence: 'proven',
      act: told,
      did:
        told.type === 'calls'
          ? 'took it and went on with its next call'
          : 'took it and ended its session in its own time',
    });
  }
}
