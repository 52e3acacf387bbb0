/** An event that arrives in small pieces, cut anywhere: inside a character, inside a line end. */
import * as z from 'zod';
import { type Effect, send } from './effect.ts';
import { defineFault } from './fault.ts';
import { series } from './incarnation.ts';

/** A large event is sent in larger pieces, so that its pauses stay bounded. */
const maxPieces = 200;

const params = z.strictObject({
  bytes: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(16)
    .describe('Bytes in a piece; more where an event would need over 200 pieces.'),
  gapMs: z.int().min(0).max(1000).default(2).describe('Pause after each piece, in ms.'),
});

export const slowDrip = defineFault<z.infer<typeof params>>({
  name: 'slow-drip',
  summary: 'Writes each event in small pieces with pauses in between.',
  imitates: 'a thin line, or a proxy with a tiny buffer',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  control: true,
  detectability: { level: 'none', why: 'where a stream is cut into pieces means nothing' },
  provokes: ['survives-controls'],
  params,
  plan(subject, { bytes, gapMs }) {
    if (subject.seam !== 'frame') return undefined;
    const { raw } = subject.frame;
    const size = Math.max(bytes, Math.ceil(raw.byteLength / maxPieces));
    const pieces = series(Math.ceil(raw.byteLength / size), (index) =>
      raw.slice(index * size, (index + 1) * size),
    );
    return pieces.flatMap((piece): readonly Effect[] =>
      gapMs === 0 ? [send(piece)] : [send(piece), { do: 'wait', delayMs: gapMs }],
    );
  },
});
