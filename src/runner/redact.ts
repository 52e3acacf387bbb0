/**
 * `--redact`: the journal keeps what happened and hides what was said. Bodies are masked as they are
 * recorded, in pieces; see mask-json.ts for what stays.
 */
import { randomBytes } from 'node:crypto';
import type { BytesFact, FactBody, HeadFact, Side } from '../history/fact.ts';
import { fromWire, toWire } from '../history/wire-bytes.ts';
import { createJsonMasker, type JsonMasker } from './mask-json.ts';
import { createSseMasker } from './mask-sse.ts';

/** A function that masks each fact, in the order in which they are recorded. */
export function createRedaction(): (body: FactBody) => FactBody {
  const key = randomBytes(16);
  const maskers = new Map<string, JsonMasker>();
  const sides = (side: Side): readonly Side[] => (side === 'both' ? ['client', 'upstream'] : [side]);

  const begin = ({ exchange, side, headers }: HeadFact): void => {
    const stream = /event-stream/i.test(headers['content-type'] ?? '');
    for (const one of sides(side)) {
      maskers.set(`${exchange} ${one}`, stream ? createSseMasker(key) : createJsonMasker(key));
    }
  };
  /** What both sides saw advances both; the client's view is what is written, since it is the one that is judged. */
  const maskPiece = (fact: BytesFact): FactBody => {
    const bytes = fromWire(fact.body);
    const [masked] = sides(fact.side).map((side) => {
      const name = `${fact.exchange} ${side}`;
      const masker = maskers.get(name) ?? createJsonMasker(key);
      maskers.set(name, masker);
      return masker.mask(bytes);
    });
    return { ...fact, body: toWire(masked!) };
  };

  return (body) => {
    switch (body.kind) {
      case 'request':
        return { ...body, path: body.path.replace(/\?.*$/s, '?…') };
      case 'request-body':
        return { ...body, body: toWire(createJsonMasker(key).mask(fromWire(body.body))) };
      case 'head':
        begin(body);
        return body;
      case 'bytes':
        return maskPiece(body);
      case 'end':
        for (const side of sides(body.side)) maskers.delete(`${body.exchange} ${side}`);
        return body;
      default:
        return body;
    }
  };
}
