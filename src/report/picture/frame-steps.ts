/** The frames of a stream as steps: what the server sent in the right half, what the client was shown in the left. */
import type { Contract } from '../../cursor/contract.ts';
import { classifyStep } from '../../cursor/ids.ts';
import type { Marked } from './exchange-steps.ts';
import { type Frame, framesOf } from './frames.ts';
import type { ExchangeView } from './history-view.ts';
import { type Pair, pairFrames } from './pairing.ts';
import type { Arrow, RawText, Step, Tone } from './step.ts';
import { idsInWords, shortId } from './words.ts';

/** The exchanges of one stream, in order; or one exchange whose response is no stream. */
export function frameSteps(
  exchanges: readonly ExchangeView[],
  contract: Contract,
  marked: Marked,
): readonly Step[] {
  const server = exchanges.flatMap((exchange) => framesOf(exchange, 'upstream'));
  const client = exchanges.flatMap((exchange) => framesOf(exchange, 'client'));
  const due = dueIds(exchanges, client);
  const pairs = pairFrames(server, client);
  const places = new Map(pairs.map((pair) => [pair.client, placeOf(pair)]));
  return [
    ...pairs.map((pair) => frameStep(pair, due, marked)),
    ...breakSteps(exchanges, client, contract, marked).map(({ frame, ...step }) => {
      const { seq, at } = places.get(frame)!;
      // Just before the frame that shows it.
      return { ...step, seq: seq - 0.5, at };
    }),
  ];
}

/** When it came; that it was passed on says nothing new. */
function placeOf({ server, client }: Pair): Pick<Step, 'seq' | 'at'> {
  const { seq, at } = (server ?? client)!;
  return { seq, at };
}

function frameStep(pair: Pair, due: ReadonlyMap<Frame, string>, { evidence }: Marked): Step {
  const { server, client } = pair;
  const tone = toneOf(pair);
  const instead = client === undefined ? undefined : due.get(client);
  return {
    ...placeOf(pair),
    kind: 'frame',
    ...(client === undefined ? {} : { left: arrow(client, clientLabel(pair, client), leftTone(pair)) }),
    ...(server === undefined
      ? {}
      : {
          right: {
            ...arrow(server, serverLabel(pair, server), tone === 'lost' ? 'lost' : 'plain'),
            ...(client === undefined ? { stops: true as const } : {}),
          },
        }),
    ...(instead === undefined || instead === client?.id
      ? {}
      : { instead: `due here: ${idsInWords([instead])}` }),
    tone,
    sentence: sentenceOf(pair, instead),
    evidence: [server, client].some((one) => one !== undefined && evidence.has(one.seq)),
    raw: rawOf(pair),
  };
}

function toneOf({ server, client, kept }: Pair): Tone {
  if (client === undefined) return kept || server?.data === undefined ? 'quiet' : 'lost';
  return client.decision === undefined ? 'plain' : 'injected';
}

function leftTone({ client }: Pair): Tone {
  return client?.decision === undefined ? 'plain' : 'injected';
}

function arrow(frame: Frame, label: string, tone: Tone): Arrow {
  return { to: 'client', ...(frame.id === undefined ? {} : { id: frame.id }), label, tone };
}

function clientLabel({ server, again, late, altered }: Pair, client: Frame): string {
  const doubt = altered ? ', altered' : again ? ', again' : '';
  const cut = client.cut ? ', unfinished' : '';
  const known = server !== undefined || again === true || late === true;
  const invented = !known && client.decision !== undefined ? ', injected' : '';
  return `${client.words}${doubt}${cut}${invented}`;
}

/** Said once where both halves have the same. */
function serverLabel({ client, kept, altered }: Pair, server: Frame): string {
  if (client !== undefined) return altered ? server.words : '';
  if (kept) return `${server.words}, kept`;
  return server.data === undefined ? server.words : `${server.words}, never shown`;
}

function sentenceOf(pair: Pair, instead: string | undefined): string {
  const { server, client } = pair;
  const sent = server === undefined ? '' : `Server sent ${named(server)}`;
  if (client === undefined) {
    if (pair.kept) return `${sent}; it was shown to the client later.`;
    return server?.data === undefined ? `${sent}.` : `${sent}; the client was never shown it.`;
  }
  const place = instead === undefined || instead === client.id ? '' : `, where id ${instead} was due`;
  const shown = `lient was shown ${client.id === undefined ? '' : `id ${client.id}, `}${clientLabel(pair, client)}${place}`;
  const by = client.decision === undefined ? '' : ', by mcp-chaos';
  if (server === undefined) return `C${shown}${by}.`;
  if (server.both) return `${sent}, and the client was shown it.`;
  return `${sent}; c${shown}${by}.`;
}

function named(frame: Frame): string {
  return frame.id === undefined ? frame.words : `id ${frame.id}, ${frame.words}`;
}

function rawOf({ server, client }: Pair): readonly RawText[] {
  if (server !== undefined && client !== undefined && server.raw === client.raw)
    return [{ title: 'on both sides', text: server.raw }];
  return [
    ...(server === undefined ? [] : [{ title: 'from the server', text: server.raw }]),
    ...(client === undefined ? [] : [{ title: 'as the client was shown it', text: client.raw }]),
  ];
}

/** The ids that a coherent resumption would have had, for the frames that stand in their places. */
function dueIds(exchanges: readonly ExchangeView[], client: readonly Frame[]): ReadonlyMap<Frame, string> {
  const due = new Map<Frame, string>();
  for (const { n, resumed } of exchanges) {
    const ids = resumed?.coherent?.ids ?? [];
    const shown = client.filter((frame) => frame.exchange === n && frame.id !== undefined);
    shown.forEach((frame, index) => {
      const id = ids[index];
      const coherent = ids.includes(frame.id!);
      if (id !== undefined && !coherent && frame.decision !== undefined) due.set(frame, id);
    });
  }
  return due;
}

const breaks: Readonly<Record<string, string>> = {
  regression: 'The ids go back here',
  gap: 'Ids are missing here',
  repeat: 'An id comes twice here',
  'other-epoch': 'Another epoch begins here',
};

/** Where the first id after a resumption is not the successor of the cursor: two incarnations meet. */
function breakSteps(
  exchanges: readonly ExchangeView[],
  client: readonly Frame[],
  contract: Contract,
  { evidence }: Marked,
): readonly (Omit<Step, 'seq' | 'at'> & { readonly frame: Frame })[] {
  return exchanges.flatMap(({ n, request }) => {
    const { cursor } = request;
    const first = client.find((frame) => frame.exchange === n && frame.id !== undefined && frame.id !== '');
    if (cursor === undefined || cursor === '' || first?.id === undefined) return [];
    const words = breaks[classifyStep(contract, cursor, first.id)];
    if (words === undefined) return [];
    return [
      {
        frame: first,
        kind: 'epoch',
        text: `${shortId(cursor)} → ${shortId(first.id)}`,
        tone: 'break',
        sentence: `${words}: the client's last id was ${cursor}, the first after its resumption is ${first.id}.`,
        evidence: evidence.has(first.seq),
        raw: [],
      } as const,
    ];
  });
}
