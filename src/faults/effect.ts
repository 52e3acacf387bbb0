/**
 * Effects: what the shell does instead of the subject. A closed union that contains every way a
 * connection can end; adding one is a core change (this file, proxy/execute.ts, ARCHITECTURE.md).
 */
import type { Ending } from '../history/fact.ts';

/** Client side only, or the upstream's connection with it. */
type EffectSide = 'client' | 'both';

export type Effect =
  /** Send the subject as it is. */
  | { readonly do: 'pass' }
  /**
   * Write these bytes to the client. `index` names the stored frame that they stand for, where that is not
   * the subject: a cursor that the client takes from them leads there.
   */
  | { readonly do: 'send'; readonly raw: Uint8Array; readonly index?: number }
  /** Write what came before in this list now, then wait. */
  | { readonly do: 'wait'; readonly delayMs: number }
  /** Change the response head; the body still flows. `null` removes a header. */
  | {
      readonly do: 'head';
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string | null>>;
    }
  /** Answer in place of upstream, which is not asked. */
  | {
      readonly do: 'respond';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /**
   * End the client's response. `complete` = the proper end of the body; `fin` and `reset` = the
   * connection closes in mid-body; `stall` = it stays open and nothing more is written.
   * With `side: client` upstream stays open and its events go to the replay store.
   */
  | { readonly do: 'end'; readonly how: Ending; readonly side: EffectSide }
  /** Seam `resume`: after the frames sent by this list, go on with the live stream from here on. */
  | { readonly do: 'follow' }
  /** From here on the client's session answers `status` to every request that carries its id. */
  | { readonly do: 'refuse-session'; readonly status: number }
  /** Drop the upstream session, negotiate a new one, go on under the client's old id; a new epoch begins. */
  | { readonly do: 'restart-session' }
  /**
   * End the managed upstream process with `signal`, and with it every session of every client; a new one
   * starts on the same port. For `downMs` nobody listens there; with 0 requests wait for the new process.
   */
  | {
      readonly do: 'restart-upstream';
      readonly signal: 'SIGTERM' | 'SIGKILL';
      readonly downMs: number;
    };

/** In words for the journal, the report and test failures. */
export function describeEffects(effects: readonly Effect[]): string {
  if (effects.length === 0) return 'withhold';
  return effects.map(describeEffect).join(', ');
}

function describeEffect(effect: Effect): string {
  switch (effect.do) {
    case 'pass':
      return 'pass';
    case 'send':
      return `send ${effect.raw.byteLength} bytes`;
    case 'wait':
      return `wait ${effect.delayMs} ms`;
    case 'head':
      return `head ${[effect.status, ...Object.keys(effect.headers ?? {})].filter((part) => part !== undefined).join(' ')}`;
    case 'respond':
      return `respond ${effect.status}`;
    case 'end':
      return `end ${effect.how}${effect.side === 'both' ? ' on both sides' : ''}`;
    case 'follow':
      return 'follow live';
    case 'refuse-session':
      return `refuse session with ${effect.status}`;
    case 'restart-session':
      return 'restart session';
    case 'restart-upstream':
      return `restart upstream (${effect.signal}${effect.downMs > 0 ? `, down ${effect.downMs} ms` : ''})`;
  }
}

/** Writes a stored or invented block. */
export function send(raw: Uint8Array): Effect {
  return { do: 'send', raw };
}

/** Ends the client's side; upstream stays open and its events go to the replay store. */
export function endClient(how: Ending): Effect {
  return { do: 'end', how, side: 'client' };
}
