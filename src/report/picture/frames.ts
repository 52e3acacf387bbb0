/** The frames of one exchange as either side had them, put together from the pieces in the journal. */
import { isOnSide, type OfKind, ofKind } from '../../history/queries.ts';
import { fromWire } from '../../history/wire-bytes.ts';
import { readMessages } from '../../mcp/message.ts';
import { readFields } from '../../sse/fields.ts';
import { createFrameScanner } from '../../sse/scanner.ts';
import type { ExchangeView } from './history-view.ts';
import { messagesInWords } from './words.ts';

export interface Frame {
  readonly exchange: number;
  /** The fact whose piece completed it. */
  readonly seq: number;
  readonly at: number;
  /** Both sides had these very bytes. */
  readonly both: boolean;
  readonly id: string | undefined;
  readonly data: string | undefined;
  /** As it was on the wire. */
  readonly raw: string;
  /** What it says, in some words. */
  readonly words: string;
  /** JSON-RPC ids that it answers. */
  readonly answers: readonly (string | number)[];
  /** The decision that made the client's differ. */
  readonly decision: string | undefined;
  /** The stream ended before its blank line. */
  readonly cut: boolean;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function framesOf(exchange: ExchangeView, side: 'upstream' | 'client'): readonly Frame[] {
  const pieces = ofKind(exchange.facts, 'bytes').filter((fact) => isOnSide(fact.side, side));
  if (!isEventStream(exchange, side)) return bodyOf(exchange, pieces);
  const frames: Frame[] = [];
  const scanner = createFrameScanner();
  const last = pieces.at(-1);
  for (const piece of pieces) {
    for (const raw of scanner.push(fromWire(piece.body))) {
      frames.push(frame(exchange.n, piece, raw, frames.length === 0, false));
    }
  }
  const rest = scanner.end();
  if (last !== undefined && rest.byteLength > 0)
    frames.push(frame(exchange.n, last, rest, frames.length === 0, true));
  return frames;
}

/** A response without a head of that side (not yet) is taken for a stream where a stream was opened. */
function isEventStream(exchange: ExchangeView, side: 'upstream' | 'client'): boolean {
  const heads = ofKind(exchange.facts, 'head');
  const head = heads.find((fact) => isOnSide(fact.side, side)) ?? heads[0];
  const type = head?.headers['content-type'];
  return type === undefined ? exchange.stream !== undefined : type.startsWith('text/event-stream');
}

function bodyOf(exchange: ExchangeView, pieces: readonly OfKind<'bytes'>[]): readonly Frame[] {
  const last = pieces.at(-1);
  if (last === undefined) return [];
  const text = pieces.map((piece) => decoder.decode(fromWire(piece.body))).join('');
  return [{ ...told(text), exchange: exchange.n, ...placed(last), id: undefined, raw: text, cut: false }];
}

function frame(
  exchange: number,
  piece: OfKind<'bytes'>,
  raw: Uint8Array,
  first: boolean,
  cut: boolean,
): Frame {
  const fields = readFields(raw, { first });
  const content = fields.data === undefined || fields.data === '' ? nothingIn(fields) : told(fields.data);
  return { ...content, exchange, ...placed(piece), id: fields.id, raw: decoder.decode(raw), cut };
}

function placed(piece: OfKind<'bytes'>): Pick<Frame, 'seq' | 'at' | 'both' | 'decision'> {
  return { seq: piece.seq, at: piece.at, both: piece.side === 'both', decision: piece.decision };
}

function nothingIn({ id, data, retryMs }: { id?: string; data?: string; retryMs?: number }): Content {
  const what =
    id === undefined && data === undefined && retryMs === undefined ? 'a comment' : 'an empty event';
  return {
    data: undefined,
    words: retryMs === undefined ? what : `${what}, retry ${retryMs} ms`,
    answers: [],
  };
}

type Content = Pick<Frame, 'data' | 'words' | 'answers'>;

function told(data: string): Content {
  const messages = readMessages(data)?.messages ?? [];
  const answers = messages.flatMap((message) =>
    message.type === 'response' && message.id !== null ? [message.id] : [],
  );
  return { data, words: messages.length === 0 ? 'data' : messagesInWords(messages), answers };
}
