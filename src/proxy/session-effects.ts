/**
 * What a fault may do to a whole session: refuse it from now on, or replace upstream's incarnation of it.
 */
import { answerInstead } from './answer-instead.ts';
import type { ClientSide } from './client-side.ts';
import { endToEnd, headerOf, pseudonym, sessionHeader, withHeader } from './headers.ts';
import type { Lane } from './lanes.ts';
import type { RunContext } from './run-context.ts';
import { closeSource } from './stream.ts';
import { askUpstream } from './upstream-link.ts';

const limits = { timeoutMs: 5000, maxBytes: 1_000_000 };

export function refuseSession(lane: Lane, status: number, decision: string): void {
  lane.refused = { status, decision };
}

/** Answers one request of a refused session, in the words of the official servers. */
export function answerRefused(run: RunContext, client: ClientSide, lane: Lane): void {
  const { status, decision } = lane.refused!;
  const message =
    status === 404 ? 'Session not found' : status === 401 ? 'Unauthorized' : 'Bad Request: session refused';
  const body = JSON.stringify({
    jsonrpc: '2.0',
    error: { code: status === 404 ? -32001 : -32000, message },
    id: null,
  });
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  void answerInstead(run, client, { status, headers, body }, decision);
}

/**
 * Negotiates a new upstream session with the client's own handshake, drops the old one, and goes on under
 * the id that the client knows: subscriptions, log level and calls in flight are truly gone. `spare` is the
 * response whose ending the fault decides itself; the session's other streams break, as they would.
 * Where upstream has no sessions or refuses a second `initialize`, nothing changes and the reason is recorded.
 */
export async function restartSession(
  run: RunContext,
  lane: Lane,
  spare: ClientSide | undefined,
  decision: string | undefined,
): Promise<void> {
  const of = decision === undefined ? {} : { decision };
  const notApplicable = (why: string): void => {
    if (decision !== undefined) run.record({ kind: 'not-applicable', decision, why });
  };
  const { handshake, upstreamSession: old, clientSession } = lane;
  if (handshake === undefined || old === undefined || clientSession === undefined) {
    notApplicable('upstream gave this client no session id, so there is no session to restart');
    return;
  }
  const plain = endToEnd(handshake.headers, ['host', sessionHeader, 'content-length', 'accept-encoding']);
  let fresh: string | undefined;
  try {
    const answer = await askUpstream(
      lane.upstream,
      { verb: 'POST', path: handshake.path, headers: plain, body: handshake.initialize },
      limits,
    );
    fresh = headerOf(answer.headers, sessionHeader);
    if (answer.status !== 200 || fresh === undefined) {
      notApplicable(
        `upstream answered ${answer.status} to a second initialize${fresh === undefined ? ', without a session id' : ''}`,
      );
      return;
    }
  } catch (error) {
    notApplicable(
      `upstream did not answer a second initialize: ${error instanceof Error ? error.message : String(error)}`,
    );
    return;
  }

  lane.upstreamSession = fresh;
  lane.epoch += 1;
  lane.events = 0;
  lane.standalone = undefined;
  run.lanes.forget(lane);
  run.record({
    kind: 'session-restarted',
    lane: lane.name,
    session: pseudonym(clientSession, lane.upstream),
    epoch: lane.epoch,
    ...of,
  });
  await breakStreams(run, lane, spare, decision);

  const current =
    lane.revision === undefined ? plain : withHeader(plain, 'MCP-Protocol-Version', lane.revision);
  const say = (verb: string, session: string, body: string): Promise<unknown> =>
    askUpstream(
      lane.upstream,
      {
        verb,
        path: handshake.path,
        headers: withHeader(current, 'Mcp-Session-Id', session),
        body: Buffer.from(body),
      },
      limits,
    ).catch(() => {});
  await say('POST', fresh, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
  await say('DELETE', old, '');
}

/** The old incarnation's streams break, as they do when a server goes; `spare` ends as the fault says. */
export async function breakStreams(
  run: RunContext,
  lane: Lane,
  spare: ClientSide | undefined,
  decision: string | undefined,
): Promise<void> {
  for (const stream of lane.streams.values()) {
    const { sink } = stream;
    closeSource(run.record, stream, 'proxy', decision);
    if (sink !== undefined && sink !== spare) {
      stream.sink = undefined;
      stream.droppedByUs = true;
      run.watch(await sink.end('reset', 'client', 'proxy', decision));
    }
  }
}
