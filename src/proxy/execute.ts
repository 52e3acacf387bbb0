/** Carries out what the armed decision of a stream says, effect by effect, against the client's side of it. */
import type { Effect } from '../faults/effect.ts';
import type { StoredFrame } from '../faults/fault.ts';
import { readFields } from '../sse/fields.ts';
import type { ClientSide } from './client-side.ts';
import { restartUpstream } from './restart-upstream.ts';
import type { RunContext } from './run-context.ts';
import { refuseSession, restartSession } from './session-effects.ts';
import { deliver, type LogicalStream } from './stream.ts';

/** `frame` is what `pass` sends. */
export async function execute(
  run: RunContext,
  stream: LogicalStream,
  sink: ClientSide,
  effects: readonly Effect[],
  frame: StoredFrame | undefined,
): Promise<void> {
  const decision = stream.armed?.decision.id;
  // A frame may be sent in pieces; it counts once its blank line is out.
  let piece: Uint8Array = new Uint8Array();
  for (const effect of effects) {
    switch (effect.do) {
      case 'pass':
        if (frame !== undefined) {
          sink.write(frame.raw, 'client');
          deliver(stream, [frame]);
        }
        break;
      case 'send':
        sink.write(effect.raw, 'client', decision);
        piece = piece.byteLength === 0 ? effect.raw : Buffer.concat([piece, effect.raw]);
        if (!endsWithBlankLine(piece)) break;
        deliver(stream, [
          { id: readFields(piece).id, index: effect.index ?? frame?.index ?? stream.deliveredIndex },
        ]);
        piece = new Uint8Array();
        break;
      case 'wait':
        await new Promise((resolve) => setTimeout(resolve, effect.delayMs));
        break;
      case 'end': {
        if (stream.sink === sink) stream.sink = undefined;
        stream.droppedByUs = true;
        const ended = sink.end(effect.how, 'client', 'proxy', decision);
        if (effect.side === 'both') {
          run.record({
            kind: 'end',
            exchange: stream.source?.exchange ?? sink.exchange,
            side: 'upstream',
            how: 'fin',
            by: 'proxy',
            ...(decision === undefined ? {} : { decision }),
          });
          stream.source?.destroy();
          stream.source = undefined;
        }
        run.watch(await ended);
        break;
      }
      case 'restart-session':
        await restartSession(run, stream.lane, sink, decision);
        break;
      case 'restart-upstream':
        await restartUpstream(run, stream.lane, sink, effect, decision);
        break;
      case 'refuse-session':
        refuseSession(stream.lane, effect.status, decision ?? '');
        break;
      case 'follow':
        stream.sink = sink;
        break;
      case 'head':
      case 'respond':
        throw new Error(`effect "${effect.do}" has no meaning once a body has begun`);
    }
  }
}

function endsWithBlankLine(raw: Uint8Array): boolean {
  const tail = String.fromCharCode(...raw.subarray(-4));
  return /(\r\n|\n|\r)(\r\n|\n|\r)$/.test(tail);
}
