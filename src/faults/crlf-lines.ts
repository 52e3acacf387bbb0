/** Other line ends than LF, which are as good (WHATWG HTML 9.2.5), and CRLF cut between its two bytes. */
import * as z from 'zod';
import { withData } from '../sse/compose.ts';
import { readFields } from '../sse/fields.ts';
import { type Effect, send } from './effect.ts';
import { defineFault, type StoredFrame } from './fault.ts';

const CR = 13;
const LF = 10;

const params = z.strictObject({
  ends: z.enum(['crlf', 'cr']).default('crlf').describe('The line end that is written.'),
  cutMs: z
    .int()
    .min(0)
    .max(10_000)
    .default(0)
    .describe('For `crlf`: a pause between the CR and the LF of a line end, in ms; 0 = not cut.'),
  cutAt: z
    .enum(['first-line', 'data'])
    .default('first-line')
    .describe(
      'Which line end is cut. `data` writes the JSON over two data lines, which means the same, and cuts between them.',
    ),
});

export const crlfLines = defineFault<z.infer<typeof params>>({
  name: 'crlf-lines',
  summary: "Writes a stream's lines with CRLF or CR, on request with a CRLF cut in two.",
  imitates: 'a server on another platform, and a segment boundary inside a line end',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  control: true,
  detectability: { level: 'none', why: 'all three line ends mean the same wherever they are cut' },
  provokes: ['survives-controls'],
  params,
  plan(subject, { ends, cutMs, cutAt }) {
    if (subject.seam !== 'frame') return undefined;
    const block = cutAt === 'data' ? overTwoLines(subject.frame) : subject.frame.raw;
    const raw = withLineEnds(block, ends === 'cr' ? [CR] : [CR, LF]);
    const cut = raw.indexOf(LF, cutAt === 'data' ? Math.max(0, dataLine(raw)) : 0);
    if (cutMs === 0 || cut === -1) return [send(raw)];
    const pause: Effect = { do: 'wait', delayMs: cutMs };
    return [send(raw.slice(0, cut)), pause, send(raw.slice(cut))];
  },
});

/** JSON may be broken after a comma between its members; data lines are joined with LF (WHATWG HTML 9.2.6). */
function overTwoLines({ raw, index }: StoredFrame): Uint8Array {
  const options = { first: index === 0 };
  const data = readFields(raw, options).data ?? '';
  const [before] = /^(?:[^",]|"(?:[^"\\]|\\.)*")*,/.exec(data) ?? [''];
  return before === '' ? raw : withData(raw, `${before}\n${data.slice(before.length)}`, options);
}

/** Where the first data line begins; -1 where there is none. */
function dataLine(raw: Uint8Array): number {
  const text = new TextDecoder('latin1').decode(raw);
  return text.search(/(?<=^|[\r\n])data/);
}

function withLineEnds(raw: Uint8Array, end: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (let at = 0; at < raw.length; at += 1) {
    const byte = raw[at]!;
    if (byte === CR && raw[at + 1] === LF) continue;
    if (byte === CR || byte === LF) bytes.push(...end);
    else bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
