/** Events that arrived whole and say the wrong thing: no message, another's answer, an answer twice. */

import { type Case, isSettled } from '../case.ts';
import type { Docket } from '../docket.ts';
import type { Exchange } from '../ledger/exchange.ts';
import type { Happening } from '../ledger/happening.ts';
import type { Stream } from '../ledger/stream.ts';
import { callText, idText } from '../words.ts';

export function detectMessages(told: Happening, docket: Docket): void {
  switch (told.type) {
    case 'frame': {
      const { frame, leg } = told;
      // Only what was altered on its way: what upstream itself sends may be meant for others.
      if (frame.content === undefined || frame.messages.length > 0 || frame.decision === undefined) return;
      for (const call of waitingOn(leg.stream)) {
        docket.raise(
          { call },
          {
            kind: 'garbled',
            spot: told,
            exchange: leg.exchange.n,
            decision: frame.decision,
            shown: `an event${frame.id === undefined ? '' : ` with id ${idText(frame.id)}`} whose data is no message`,
          },
        );
      }
      return;
    }
    case 'stray-answer':
      for (const call of waitingOn(told.leg.stream)) {
        docket.raise(
          { call },
          {
            kind: 'misrouted',
            spot: told,
            exchange: told.leg.exchange.n,
            shown: `a response under id ${JSON.stringify(told.id)}, which is no request's, where ${JSON.stringify(call.id)} was due`,
          },
        );
      }
      return;
    case 'answered-again': {
      const { call, exchange } = told;
      // On another stream it is a stranger there, and judged as one.
      if (exchange.leg !== undefined && exchange.leg.stream !== call.stream) return;
      const sighting = {
        kind: 'answered-twice',
        spot: told,
        exchange: exchange.n,
        shown: `the answer to ${callText(call)} once more`,
      } as const;
      const known = docket.ofCall(call);
      if (known !== undefined && !isSettled(known) && known.visible) {
        // It was seen as altered with the first answer; this says how.
        if (known.occasion.kind === 'altered') docket.revise(known, sighting);
        return;
      }
      const twice = (one: Case): boolean => one.call === call && one.occasion.kind === 'answered-twice';
      // What it asked for again by itself, from an earlier cursor, is no copy.
      const asked = exchange !== call.answer?.exchange && !wasSentAs(told.seq, exchange);
      if (asked || docket.all().some(twice)) return;
      const one = docket.openBeside({ call }, sighting);
      // Whether the first was read at all was a matter of milliseconds.
      one.timed = call.answer?.exchange.end?.how === 'reset';
      return;
    }
  }
}

/** A fault sent the frame. */
function wasSentAs(seq: number, exchange: Exchange): boolean {
  return exchange.leg?.frames.some((frame) => frame.seq === seq && frame.decision !== undefined) === true;
}

function waitingOn(stream: Stream): Stream['calls'] {
  return stream.calls.filter((call) => call.answer === undefined && call.cancelled === undefined);
}
