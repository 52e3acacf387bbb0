/**
 * The live page: the report of a run that goes on, on a loopback address of its own, fed over a WebSocket.
 *
 * Whoever has its token may inject faults. So it is another one than the wrapped command's, the page must have
 * come from this very address (Host and Origin are compared), and it may not be framed.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod';
import { faults } from '../faults/index.ts';
import type { Fact } from '../history/fact.ts';
import { paramsOf } from '../profiles/fault-params.ts';
import type { Injected, Injection } from '../proxy/by-hand.ts';
import { foreignAddress } from '../proxy/guard-own-address.ts';
import { htmlDocument, pageData } from '../report/html.ts';
import type { FaultChoice, LiveStart, ToPage } from '../report/live-data.ts';
import type { Drawing } from '../report/reporter.ts';
import type { Report } from '../watcher/report.ts';
import { createWatcher } from '../watcher/watcher.ts';
import { sameToken } from './same-token.ts';

interface RunningRun {
  readonly url: string;
  inject(injection: Injection): Injected;
}

export interface LivePage {
  /** `http://127.0.0.1:PORT/TOKEN/`. */
  readonly url: string;
  observe(fact: Fact): void;
  /** Everything stands: where clients connect to, and who arms what is injected. */
  begin(run: RunningRun): void;
  /** Sends what is left and the last word, and closes every connection. */
  close(report: Report | undefined): Promise<void>;
}

const host = '127.0.0.1';
/** Facts go out together; a person sees no difference, a browser does. */
const factsEveryMs = 100;
/** A report costs a judgement of the whole run; it is made at most this often, and seldomer where it takes long. */
const reportEveryMs = 300;
const maxMessageBytes = 16 * 1024;

export async function startLivePage(page: Omit<Drawing, 'history'>): Promise<LivePage> {
  const token = randomBytes(18).toString('base64url');
  const facts: Fact[] = [];
  const watcher = createWatcher();
  const clients = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });
  const connections = new Set<Socket>();
  let sent = 0;
  let judged = 0;
  let pauseUntil = 0;
  let run: RunningRun | undefined;

  const server = createServer((request, response) => {
    const why = refusal(request, token, '/');
    if (why !== undefined) return answer(response, why.status, 'text/plain', `${why.text}\n`);
    if (request.method !== 'GET') return answer(response, 405, 'text/plain', 'the page is read with GET\n');
    answer(response, 200, 'text/html', documentFor(`${request.headers.host}`));
  });
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const own = request.headers.origin === `http://${request.headers.host}`;
    const why = own
      ? refusal(request, token, '/feed')
      : ({ status: 403, text: 'Origin is not this page' } as const);
    if (why !== undefined) {
      socket.end(`HTTP/1.1 ${why.status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    clients.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => client.terminate());
      client.on('message', (data) => client.send(JSON.stringify(obey(String(data)))));
      send(client, { type: 'facts', facts: facts.slice(0, sent) });
      send(client, { type: 'report', data: pageData(watcher.finish()), ended: false });
    });
  });

  const documentFor = (authority: string): string =>
    htmlDocument({
      title: 'mcp-chaos, live',
      plain: 'The live page needs JavaScript.',
      blobs: { live: JSON.stringify(startFor(authority)) },
      connect: `ws://${authority}`,
      ...page,
    });

  const startFor = (authority: string): LiveStart => ({
    socket: `ws://${authority}/${token}/feed`,
    clients: run?.url ?? '',
    faults: choices(),
  });

  const obey = (text: string): ToPage => {
    const read = readOrder(text);
    if (read === undefined) return { type: 'injected', ok: false, said: 'the message was not understood' };
    const result = run?.inject(read) ?? { ok: false as const, why: 'the run has not begun, or is over' };
    return { type: 'injected', ok: result.ok, said: inWords(read, result) };
  };

  const broadcast = (message: ToPage): void => {
    const text = JSON.stringify(message);
    for (const client of clients.clients) client.send(text);
  };
  const sendFacts = (): void => {
    if (sent === facts.length) return;
    broadcast({ type: 'facts', facts: facts.slice(sent) });
    sent = facts.length;
  };
  const sendReport = (): void => {
    if (judged === facts.length || clients.clients.size === 0 || performance.now() < pauseUntil) return;
    judged = facts.length;
    const began = performance.now();
    broadcast({ type: 'report', data: pageData(watcher.finish()), ended: false });
    // At most a tenth of the time goes into judging.
    pauseUntil = performance.now() + 10 * (performance.now() - began);
  };
  const timers = [setInterval(sendFacts, factsEveryMs), setInterval(sendReport, reportEveryMs)];
  for (const timer of timers) timer.unref();

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${host}:${port}/${token}/`,
    begin(begun) {
      run = begun;
    },
    observe(fact) {
      facts.push(fact);
      watcher.observe(fact);
    },
    async close(report) {
      for (const timer of timers) clearInterval(timer);
      run = undefined;
      sendFacts();
      broadcast({ type: 'report', data: pageData(report ?? watcher.finish()), ended: true });
      await Promise.all([...clients.clients].map(closed));
      clients.close();
      const gone = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of connections) socket.destroy();
      await gone;
    },
  };
}

/** Closed in good order, so that the last word arrives; whoever does not answer is dropped. */
function closed(client: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => client.terminate(), 500);
    client.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    client.close(1000, 'the run is over');
  });
}

function send(client: WebSocket, message: ToPage): void {
  client.send(JSON.stringify(message));
}

interface Refusal {
  readonly status: 403 | 404;
  readonly text: string;
}

function refusal(request: IncomingMessage, token: string, below: string): Refusal | undefined {
  const foreign = foreignAddress(request.headers, host);
  if (foreign !== undefined) return { status: 403, text: foreign };
  const path = (request.url ?? '/').split('?', 1)[0]!;
  const given = path.slice(1, path.indexOf('/', 1) < 0 ? undefined : path.indexOf('/', 1));
  if (!sameToken(given, token) || path.slice(1 + given.length) !== below)
    return { status: 404, text: 'no such page; use the address that was printed at the start' };
  return undefined;
}

const order = z.strictObject({
  type: z.literal('inject'),
  fault: z.string(),
  target: z.union([z.strictObject({ stream: z.string() }), z.strictObject({ scope: z.string() })]),
});

function readOrder(text: string): Injection | undefined {
  try {
    const { fault, target } = order.parse(JSON.parse(text));
    return { fault, target };
  } catch {
    return undefined;
  }
}

function inWords({ fault, target }: Injection, result: Injected): string {
  if (!result.ok) return `Not injected: ${result.why}.`;
  if ('scope' in target) return `${fault} waits for the next call in scope ${target.scope}.`;
  return `${fault} is armed in ${target.stream} (decision ${result.decision}); it acts at the stream's next event.`;
}

/** Controls last: a person who looks for weaknesses begins with the others. */
function choices(): readonly FaultChoice[] {
  return faults
    .filter((fault) => fault.needs === undefined)
    .map((fault) => {
      const { control, seam } = fault.bind({});
      const early = (seam === 'request' || seam === 'head') && !('after' in paramsOf(fault));
      return { name: fault.name, summary: fault.summary, control, channels: fault.channels, early };
    })
    .sort((a, b) => Number(a.control) - Number(b.control));
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response
    .writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      'content-security-policy': "frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    .end(body);
}
