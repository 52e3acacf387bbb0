/** A call's stream as literal text, subjects over it, and effects in words. */
import type { Contract } from '../../src/cursor/contract.ts';
import type { BoundFault } from '../../src/faults/bound-fault.ts';
import type { Effect } from '../../src/faults/effect.ts';
import type {
  CallView,
  FrameSubject,
  HeadSubject,
  RequestSubject,
  ResumeSubject,
  StoredFrame,
} from '../../src/faults/fault.ts';
import { faultNamed } from '../../src/faults/index.ts';
import { readFields } from '../../src/sse/fields.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

export function text(raw: Uint8Array): string {
  return decoder.decode(raw);
}

export const progressData = (n: number): string =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":${n}}}`;
export const answerData = '{"jsonrpc":"2.0","id":7,"result":{"content":[]}}';

function stored(
  index: number,
  id: string | undefined,
  data: string,
  content: StoredFrame['content'],
): StoredFrame {
  const raw = bytes(`${id === undefined ? '' : `id: ${id}\n`}data:${data === '' ? '' : ` ${data}`}\n\n`);
  return { raw, id, index, content, answers: data === answerData };
}

/** `parts` = a priming event, so many progress notifications, the answer; ids from `first`, or none. */
export function callStream(parts: number, first: number | string | null = 1001): readonly StoredFrame[] {
  const id = (index: number): string | undefined => {
    if (first === null) return undefined;
    return typeof first === 'number' ? String(first + index) : `${first}${index + 1}`;
  };
  const progress = Array.from({ length: parts }, (_, n) =>
    stored(n + 1, id(n + 1), progressData(n + 1), 'notification'),
  );
  return [
    stored(0, id(0), '', 'priming'),
    ...progress,
    stored(parts + 1, id(parts + 1), answerData, 'response'),
  ];
}

/** The usual one: 1001 priming, 1002 to 1004 progress, 1005 answer. */
export const stream = callStream(3);

/** A tool that answers at once: 1001 priming, 1002 answer. */
export const short = callStream(0);

/** An answer and nothing else, with its id. */
export const bare = [{ ...short[1]!, index: 0 }];

function call(view: Partial<CallView> = {}): CallView {
  return {
    channel: 'POST',
    method: 'tools/call',
    tool: 'count',
    revision: '2025-11-25',
    contract: 'monotonic:stream',
    hasSession: true,
    ...view,
  };
}

export function atRequest(view: Partial<CallView> = {}, attempt = 0): RequestSubject {
  return { seam: 'request', call: call(view), attempt };
}

export function atHead(view: Partial<CallView> = {}, sse = true): HeadSubject {
  return { seam: 'head', call: call(view), attempt: 0, status: 200, sse };
}

export function atFrame(
  frames: readonly StoredFrame[],
  index: number,
  {
    attempt = 0,
    foreign = [],
    ...view
  }: { attempt?: number; foreign?: readonly StoredFrame[] } & Partial<CallView> = {},
): FrameSubject {
  const earlier = frames.slice(0, index);
  const frame = frames[index]!;
  return { seam: 'frame', call: call(view), attempt, frame, position: index + 1, earlier, foreign };
}

export interface Resumption {
  /** Frames that the client has had. */
  readonly had: number;
  /** Frames that have come from upstream; all by default. */
  readonly came?: number;
  readonly attempt?: number;
  /** The last id it has had by default. */
  readonly cursor?: string;
  readonly foreign?: readonly StoredFrame[];
  readonly contract?: Contract;
  readonly channel?: 'POST' | 'GET';
}

export function atResume(frames: readonly StoredFrame[], resumption: Resumption): ResumeSubject {
  const { had, came = frames.length, attempt = 1, foreign = [], contract = 'monotonic:stream' } = resumption;
  const { channel = 'POST' } = resumption;
  const delivered = frames.slice(0, had);
  return {
    seam: 'resume',
    call: call({ contract, channel }),
    attempt,
    cursor: resumption.cursor ?? delivered.findLast(({ id }) => id !== undefined)?.id ?? '',
    missed: frames.slice(had, came),
    delivered,
    foreign,
    answered: frames.slice(0, came).some(({ answers }) => answers),
  };
}

export function bind(name: string, params: object = {}): BoundFault {
  return faultNamed(name)!.bind(params);
}

/** One string an effect; a whole event is `send <id> <what it says>`, anything else is shown as text. */
export function inWords(effects: readonly Effect[] | undefined): readonly string[] | 'passes' {
  return effects === undefined ? 'passes' : effects.map(word);
}

function word(effect: Effect): string {
  switch (effect.do) {
    case 'send':
      return `send ${event(effect.raw)}`;
    case 'wait':
      return `wait ${effect.delayMs}`;
    case 'end':
      return `end ${effect.how}${effect.side === 'both' ? ' both' : ''}`;
    case 'respond':
      return `respond ${effect.status}`;
    case 'refuse-session':
      return `refuse-session ${effect.status}`;
    case 'restart-upstream':
      return `restart-upstream ${effect.signal} ${effect.downMs}`;
    case 'head':
      return `head ${JSON.stringify(effect.headers)}`;
    default:
      return effect.do;
  }
}

function event(raw: Uint8Array): string {
  const whole = text(raw);
  if (!/(\r\n|\n|\r)(\r\n|\n|\r)$/.test(whole)) return JSON.stringify(whole);
  const { id, data } = readFields(raw);
  if (data === undefined) return JSON.stringify(whole);
  return `${id === undefined ? '(no id)' : id === '' ? '(empty id)' : id} ${says(data)}`;
}

function says(data: string): string {
  if (data === '') return 'priming';
  if (data === answerData) return 'answer';
  const other = /"event (\d+) of another incarnation/.exec(data);
  if (other) return `other incarnation ${other[1]}`;
  const progress = /"progress":(\d+)/.exec(data);
  return progress ? `progress ${progress[1]}` : data;
}

/** What happens to a stream in the exchange it was born in, until the client's side ends. */
export function firstAttempt(
  fault: BoundFault,
  frames: readonly StoredFrame[],
  view: Partial<CallView> & { foreign?: readonly StoredFrame[] } = {},
): readonly string[] {
  const lines: string[] = [];
  const take = (effects: readonly Effect[] | undefined, untouched: string): boolean => {
    if (effects === undefined) lines.push(untouched);
    else lines.push(...inWords(effects as Effect[]));
    return effects?.some((effect) => effect.do === 'end') === true;
  };
  const head = fault.plan(atHead(view));
  if (head !== undefined && take(head, '')) return lines;
  for (const index of frames.keys()) {
    if (take(fault.plan(atFrame(frames, index, view)), `${frames[index]!.id ?? '(no id)'} as it is`)) break;
  }
  return lines;
}
