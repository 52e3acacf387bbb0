/** What the messages of a response mean for the requests they answer, on either side of the proxy. */
import type { Message } from '../../mcp/message.ts';
import type { Frame } from './body-reader.ts';
import { type Answer, type Call, idKey } from './call.ts';
import type { Exchange, Spot } from './exchange.ts';
import type { Happening } from './happening.ts';
import { weightOf } from './stream.ts';

export function takeUpstreamMessages(exchange: Exchange, frame: Frame, spot: Spot): readonly Happening[] {
  const found: Happening[] = [];
  const stream = exchange.leg?.stream;
  if (stream !== undefined && (frame.content !== undefined || frame.id !== undefined)) stream.numbered += 1;
  if (stream !== undefined && frame.content !== undefined) {
    if (!stream.sent.has(frame.content)) stream.sent.set(frame.content, weightOf(frame.messages));
    found.push({ ...spot, type: 'upstream-frame', stream, frame });
  }
  for (const message of frame.messages) {
    if (message.type !== 'response' || message.id === null) continue;
    const call = callFor(exchange, message.id);
    if (call === undefined || call.upstreamAnswer !== undefined) continue;
    call.upstreamAnswer = spot;
    found.push({ ...spot, type: 'upstream-answered', call });
  }
  return found;
}

export function takeClientMessages(
  exchange: Exchange,
  messages: readonly Message[],
  spot: Spot,
  frameId: string | undefined,
): readonly Happening[] {
  const found: Happening[] = [];
  for (const message of messages) {
    if (message.type === 'notification') noteProgress(exchange, message.params, spot);
    if (message.type !== 'response') continue;
    const call = message.id === null ? undefined : callFor(exchange, message.id);
    if (call === undefined) {
      if (exchange.leg !== undefined)
        found.push({ ...spot, type: 'stray-answer', leg: exchange.leg, id: message.id });
    } else if (call.answer !== undefined) {
      found.push({ ...spot, type: 'answered-again', call, exchange });
    } else {
      const answer: Answer = { ...spot, exchange, frameId, failed: message.error !== undefined };
      call.answer = answer;
      call.maybeAnswer = undefined;
      readHandshake(call, message.result);
      found.push({ ...spot, type: 'answered', call, answer });
    }
  }
  return found;
}

/** Its own stream's request first: without session ids the clients of a scope share their numbers. */
function callFor(exchange: Exchange, id: string | number): Call | undefined {
  const own = exchange.leg?.stream.calls ?? exchange.calls;
  return own.find((call) => call.id === id) ?? exchange.session.calls.get(idKey(id));
}

function noteProgress(exchange: Exchange, params: unknown, spot: Spot): void {
  if (typeof params !== 'object' || params === null) return;
  const token = (params as { readonly progressToken?: unknown }).progressToken;
  if (token === undefined) return;
  for (const call of exchange.leg?.stream.calls ?? exchange.calls) {
    if (call.progressToken === token) call.progressAt = spot.at;
  }
}

function readHandshake(call: Call, result: unknown): void {
  if (call !== call.session.initialize || typeof result !== 'object' || result === null) return;
  const revision = (result as { readonly protocolVersion?: unknown }).protocolVersion;
  if (typeof revision === 'string') call.session.revision = revision;
}
