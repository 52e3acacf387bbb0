/** The steps of one HTTP exchange beside its frames: the request, the response's head, the end, what a fault did. */
import type { Fact } from '../../history/fact.ts';
import { isOnSide, ofKind } from '../../history/queries.ts';
import { fromWire } from '../../history/wire-bytes.ts';
import { readMessages } from '../../mcp/message.ts';
import type { ExchangeView } from './history-view.ts';
import type { Arrow, RawText, Step, Tone } from './step.ts';
import { idsInWords, messagesInWords } from './words.ts';

export interface Marked {
  /** Sequence numbers that the finding rests on. */
  readonly evidence: ReadonlySet<number>;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The request as the client sent it; it stops at mcp-chaos where upstream never heard of it. */
export function requestStep(exchange: ExchangeView, { evidence }: Marked, tone: Tone = 'plain'): Step {
  const { request } = exchange;
  const body = requestBody(exchange);
  const messages = body === undefined ? undefined : readMessages(body)?.messages;
  const what = requestInWords(exchange);
  const reached = reachedServer(exchange);
  const arrow: Arrow = { to: 'server', label: what, tone };
  const seqs = exchange.facts.filter(({ kind }) => kind === 'request' || kind === 'request-body');
  return {
    seq: request.seq,
    at: request.at,
    kind: 'request',
    left: reached ? arrow : { ...arrow, stops: true },
    ...(reached ? { right: { ...arrow, label: '' } } : {}),
    tone,
    sentence: `Client sent ${what}${reached ? '' : '; mcp-chaos answered it'}.`,
    evidence: seqs.some(({ seq }) => evidence.has(seq)),
    raw: [
      { title: `${request.verb} ${request.path}`, text: headerLines(request.headers, request.cursor) },
      ...(body === undefined
        ? []
        : [{ title: messages === undefined ? 'body' : messagesInWords(messages), text: body }]),
    ],
  };
}

/** `tools/call count, id 7`; for a GET what it asks for. */
export function requestInWords({ request, facts }: ExchangeView): string {
  if (request.verb === 'GET') {
    return request.cursor === undefined || request.cursor === ''
      ? 'GET, to listen'
      : `GET, resume after id ${request.cursor}`;
  }
  if (request.verb !== 'POST') return request.verb === 'DELETE' ? 'DELETE, to end the session' : request.verb;
  const body = requestBody({ facts });
  const messages = body === undefined ? undefined : readMessages(body)?.messages;
  return messages === undefined ? 'POST' : messagesInWords(messages);
}

export function requestBody({ facts }: Pick<ExchangeView, 'facts'>): string | undefined {
  const fact = facts.find((one) => one.kind === 'request-body');
  return fact === undefined ? undefined : decoder.decode(fromWire(fact.body));
}

/** False where the answer is ours: from what we keep, or by decision with nothing of the server's beside it. */
function reachedServer({ facts, resumed }: ExchangeView): boolean {
  if (resumed?.from === 'store') return false;
  const answers = facts.filter((fact) => fact.kind === 'head' || fact.kind === 'bytes');
  return (
    answers.length === 0 ||
    answers.some(({ side, decision }) => isOnSide(side, 'upstream') || decision === undefined)
  );
}

/** Heads say something where they are no plain success, were altered, or answer a resumption. */
export function headSteps(exchange: ExchangeView, { evidence }: Marked): readonly Step[] {
  return ofKind(exchange.facts, 'head').flatMap((head) => {
    const resumes = exchange.request.cursor !== undefined;
    const dull = head.status < 300 && head.decision === undefined && !resumes;
    if (dull && !evidence.has(head.seq)) return [];
    const changed = head.session !== undefined && head.session !== exchange.request.session;
    const label = `${head.status}${changed && resumes ? `, session ${head.session}` : ''}`;
    const tone: Tone = head.decision === undefined ? 'plain' : 'injected';
    const arrow: Arrow = { to: 'client', label, tone };
    const { coherent } = exchange.resumed ?? {};
    const due =
      coherent === undefined || head.decision === undefined
        ? undefined
        : coherent.ids.length === 0
          ? 'nothing was due at this moment'
          : `due here: ${coherent.ids.length === 1 ? '1 event' : `${coherent.ids.length} events`}, ${idsInWords(coherent.ids)}${coherent.answers ? ', with the answer' : ''}`;
    return [
      {
        seq: head.seq,
        at: head.at,
        kind: 'head',
        ...(head.side === 'upstream' ? {} : { left: arrow }),
        ...(head.side === 'client' ? {} : { right: { ...arrow, label: head.side === 'both' ? '' : label } }),
        ...(due === undefined ? {} : { instead: due }),
        tone,
        sentence: `${head.side === 'upstream' ? 'Server answered' : 'Client was answered'} ${label}${
          head.decision === undefined ? '' : ', by mcp-chaos'
        }.${due === undefined ? '' : ` What a coherent resumption would have delivered: ${due.replace('due here: ', '')}.`}`,
        evidence: evidence.has(head.seq),
        raw: [
          { title: `head, ${sideInWords(head.side)}`, text: `${head.status}\n${headerLines(head.headers)}` },
        ],
      } satisfies Step,
    ];
  });
}

const endings = {
  complete: 'ended properly',
  fin: 'was closed (FIN)',
  reset: 'was reset (RST)',
  stall: 'went silent',
} as const;

/** Ends that the client sees, and those that it caused. */
export function endSteps(exchange: ExchangeView, { evidence }: Marked): readonly Step[] {
  return ofKind(exchange.facts, 'end').flatMap((end) => {
    const unseen = end.side === 'upstream' && end.decision === undefined;
    if (unseen && !evidence.has(end.seq)) return [];
    // A body that is no stream ends with its one message, which says it all.
    if (exchange.stream === undefined && end.how === 'complete' && !evidence.has(end.seq)) return [];
    const byUs = end.by === 'proxy';
    const tone: Tone = byUs ? 'injected' : end.how === 'complete' || end.by === 'client' ? 'quiet' : 'plain';
    const who = end.by === 'client' ? 'client' : byUs ? 'mcp-chaos' : 'server';
    const what =
      end.how === 'stall'
        ? 'nothing more is written'
        : `${end.how === 'complete' ? 'end' : end.how.toUpperCase()}`;
    const arrow: Arrow = {
      to: end.by === 'client' ? 'server' : 'client',
      label: end.by === 'client' ? 'closes the stream' : what,
      tone,
    };
    const body = exchange.stream === undefined ? 'connection' : 'stream';
    return [
      {
        seq: end.seq,
        at: end.at,
        kind: 'end',
        ...(end.side === 'upstream' ? {} : { left: end.by === 'client' ? { ...arrow, stops: true } : arrow }),
        ...(end.side === 'client'
          ? {}
          : { right: { ...arrow, label: end.side === 'both' ? '' : arrow.label } }),
        tone,
        sentence:
          end.by === 'client'
            ? `Client closed the ${body}.`
            : `The ${body} ${endings[end.how]}, by ${who}${end.side === 'upstream' ? ', towards the server' : ''}.`,
        evidence: evidence.has(end.seq),
        raw: [{ title: 'end', text: `${end.how}, by ${who}, ${sideInWords(end.side)}` }],
      } satisfies Step,
    ];
  });
}

/** What mcp-chaos armed and did, in the middle lane. */
export function decisionSteps(
  exchange: ExchangeView,
  { evidence }: Marked,
  faultOf: (decision: string) => string | undefined,
): readonly Step[] {
  const steps: Step[] = [];
  for (const fact of exchange.facts) {
    if (fact.kind === 'decision') {
      const raw: RawText[] = [{ title: 'parameters', text: JSON.stringify(fact.params, null, 2) }];
      const hand = fact.by === 'hand' ? ', by hand' : '';
      steps.push(note(fact, `${fact.fault} armed${hand}`, `mcp-chaos armed ${fact.fault} here${hand}.`, raw));
    } else if (fact.kind === 'applied') {
      // A prelude that only sends shows in the events themselves.
      if (fact.prelude && !/\bend\b/.test(fact.effects)) continue;
      const fault = faultOf(fact.decision) ?? 'the fault';
      const what = fact.prelude ? 'prepares' : 'acts';
      const raw: RawText[] = [{ title: `effects at the ${fact.seam}`, text: fact.effects }];
      steps.push(note(fact, `${fault} ${what}`, `mcp-chaos: ${fault} ${what} (${fact.effects}).`, raw));
    } else if (fact.kind === 'internal-error') {
      steps.push(
        note(
          fact,
          `an error of ours: ${fact.message.split('\n')[0]}`,
          `An error of mcp-chaos: ${fact.message.split('\n')[0]}.`,
          [{ title: fact.where, text: fact.message }],
        ),
      );
    }
  }
  return steps;

  function note(fact: Fact, text: string, sentence: string, raw: readonly RawText[]): Step {
    const { seq, at } = fact;
    return { seq, at, kind: 'note', text, tone: 'injected', sentence, evidence: evidence.has(seq), raw };
  }
}

function headerLines(headers: Readonly<Record<string, string>>, cursor?: string): string {
  return [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(cursor === undefined ? [] : [`last-event-id: ${cursor}`]),
  ].join('\n');
}

function sideInWords(side: 'both' | 'upstream' | 'client'): string {
  return { both: 'on both sides', upstream: "on the server's side", client: "on the client's side" }[side];
}
