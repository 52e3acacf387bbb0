/**
 * An upstream that the run starts itself: on one loopback port that stays the same over restarts, its output
 * kept in a file, its process group ended with the run however that ends.
 */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgsStringToArgv } from 'string-argv';
import { ChaosError } from '../errors.ts';
import type { FactBody } from '../history/fact.ts';
import type { UpstreamProcess } from '../proxy/upstream-link.ts';
import { type Child, type ChildExit, startChild } from './child.ts';

export interface ManagedOptions {
  /** The name in sites, journal and report. */
  readonly name: string;
  /** One line, split into words as a shell does, without a shell; `{port}` stands for the port. */
  readonly command: string;
  /** Where it listens, if it cannot be told; else a free port is chosen. */
  readonly url?: URL;
  /** The endpoint's path on a chosen port. */
  readonly path: string;
  /** Everything it writes goes here. */
  readonly logPath: string;
  readonly record: (body: FactBody) => number;
  /** How long it may take until it answers, in ms (default 60000). */
  readonly startMs?: number;
}

export interface ManagedUpstream extends UpstreamProcess {
  readonly url: URL;
  close(): Promise<void>;
}

/** A process that was asked to end has this long; then it is killed. */
const graceMs = 5000;
/** How often it is asked whether it answers yet, and how long one answer may take, in ms. */
const poll = { everyMs: 50, answerMs: 1000 };

/** Rejects with `upstream-unreachable` where it ends or does not answer in time, with the end of its output. */
export async function startManagedUpstream(options: ManagedOptions): Promise<ManagedUpstream> {
  const { name, record, logPath, startMs = 60_000 } = options;
  const url = options.url ?? new URL(options.path, `http://127.0.0.1:${await freePort()}`);
  const command = wordsOf(options.command, url.port);
  const log = openSync(logPath, 'w');
  let closing = false;
  let expectedToEnd: Child | undefined;
  let child = await launch().catch((error: unknown) => {
    closeSync(log);
    throw error;
  });
  let last: Promise<void> = Promise.resolve();
  let ready: Promise<void> = last;

  /** Resolves with a process that answers. */
  async function launch(): Promise<Child> {
    const environment = { ...process.env, PORT: url.port };
    const started = await startChild(command, environment, ['ignore', log, log]).catch(
      (error: ChaosError) => {
        throw new ChaosError(error.code, `--upstream-cmd: ${error.message}`, {
          hint: 'It is started as it is, without a shell. Check the spelling and PATH, or use: sh -c "…"',
          cause: error,
        });
      },
    );
    let exit: ChildExit | undefined;
    void started.exited.then((how) => {
      exit = how;
    });
    const deadline = performance.now() + startMs;
    while (!(await answers(url))) {
      if (exit === undefined && !closing && performance.now() < deadline) await delay(poll.everyMs);
      else {
        await started.sweep(0);
        throw notUp(
          exit === undefined ? `it did not answer within ${startMs} ms` : `it ended (${howItEnded(exit)})`,
        );
      }
    }
    record({ kind: 'upstream-process', upstream: name, state: 'started' });
    void started.exited.then((how) => {
      if (started === expectedToEnd || closing) return;
      record({ kind: 'upstream-process', upstream: name, state: 'ended', why: howItEnded(how) });
    });
    return started;
  }

  function notUp(why: string): ChaosError {
    const tail = readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
    return new ChaosError(
      'upstream-unreachable',
      `--upstream-cmd: "${options.command}" did not come up at ${url.origin}: ${why}`,
      {
        hint:
          tail === ''
            ? 'It wrote nothing. Its port is {port} in the command, and PORT in its environment.'
            : `The end of what it wrote (${logPath}):\n${tail}`,
      },
    );
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    expectedToEnd = child;
    child.signal(signal);
    const grace = new AbortController();
    await Promise.race([child.exited, delay(graceMs, undefined, { signal: grace.signal }).catch(() => {})]);
    grace.abort();
    // The rest of its group, and itself where it is deaf.
    await child.sweep(0);
    await child.exited;
  }

  return {
    url,
    get ready() {
      return ready;
    },
    restart(signal, downMs) {
      const gone = last.then(() => (closing ? undefined : end(signal)));
      const again = gone.then(async () => {
        if (downMs > 0) await delay(downMs);
        if (closing) return;
        try {
          child = await launch();
        } catch (error) {
          if (!closing)
            record({
              kind: 'upstream-process',
              upstream: name,
              state: 'failed',
              why: (error as Error).message,
            });
        }
      });
      last = again;
      ready = downMs > 0 ? Promise.resolve() : again;
      return gone;
    },
    async close() {
      if (closing) return;
      closing = true;
      await child.sweep(graceMs / 10);
      await last;
      // A restart may have got as far as a process that answers.
      await child.sweep(0);
      closeSync(log);
    },
  };
}

function wordsOf(line: string, port: string): readonly string[] {
  const words = parseArgsStringToArgv(line).map((word) => word.replaceAll('{port}', port));
  if (words.length > 0) return words;
  throw new ChaosError('usage', '--upstream-cmd: expected a command, found none', {
    hint: 'For example: --upstream-cmd "node server.js --port {port}".',
  });
}

/** Any answer to a request that can begin nothing says that a server is there. */
function answers(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(url, { method: 'HEAD', agent: false, timeout: poll.answerMs });
    asked.on('response', (response) => {
      response.resume();
      asked.destroy();
      resolve(true);
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function howItEnded({ code, signal }: ChildExit): string {
  return signal === null ? `exit code ${code}` : signal;
}
