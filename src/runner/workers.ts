/**
 * Processes of this program that carry out one command line after another. A start costs as much processor time
 * as a short suite, nearly all of it for loading modules, so a process that came through a run in good order is
 * given the next one. It has one run at a time; whatever is wrong with one of them ends the process with it.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, type ChildExit, startChild } from './child.ts';

/** How a run may be ended: asked to first, then at once. */
export interface Stops {
  readonly stop: AbortSignal;
  readonly kill: AbortSignal;
}

/** What goes to a worker: a command line without the program's name. */
export interface Order {
  readonly argv: readonly string[];
}

/** What comes back: the exit code that the command line would have had. */
export interface Done {
  readonly code: number;
}

export interface Workers {
  /**
   * Carries out a command line; what it says on stdout and stderr is in the file `output` afterwards. Resolves
   * with its exit code, or with how its process ended.
   */
  run(argv: readonly string[], output: string, stops: Stops): Promise<ChildExit>;
  /** Ends the processes that wait. */
  close(): Promise<void>;
}

interface Worker {
  readonly child: Child;
  /** Its stdout and stderr; the file has no name. */
  readonly output: number;
  /** It had a run before. */
  used: boolean;
  ended: boolean;
}

/** Whatever its runs found, the process is as good as new; other codes say that it may not be. */
const lastGoodCode = 3;
/** A bug of ours ended the run. */
const crashCode = 70;

/** `program`: the words that start a worker. None is started before there is something to do. */
export function createWorkers(program: readonly string[]): Workers {
  const idle: Worker[] = [];

  const take = async (): Promise<Worker> => {
    for (let worker = idle.pop(); worker !== undefined; worker = idle.pop()) {
      if (!worker.ended) return worker;
      await retire(worker);
    }
    return start(program);
  };

  const carryOut = async (
    worker: Worker,
    argv: readonly string[],
    output: string,
    { stop, kill }: Stops,
  ): Promise<ChildExit> => {
    const { child } = worker;
    const ask = (): void => child.signal('SIGTERM');
    // The run itself ends its command at the second request.
    for (const signal of [stop, kill]) {
      if (signal.aborted) ask();
      else signal.addEventListener('abort', ask, { once: true });
    }
    const exit = await answer(child, { argv });
    for (const signal of [stop, kill]) signal.removeEventListener('abort', ask);
    move(worker.output, output);
    worker.used = true;
    const well = exit.code !== null && exit.code <= lastGoodCode && !worker.ended && !stop.aborted;
    if (well) idle.push(worker);
    else await retire(worker);
    return exit;
  };

  return {
    async run(argv, output, stops) {
      const worker = await take();
      const { used } = worker;
      const exit = await carryOut(worker, argv, output, stops);
      const crashed = worker.ended || exit.code === crashCode;
      // What an earlier run left behind must not count as this one's: a process of its own decides.
      if (!used || !crashed || stops.stop.aborted) return exit;
      return carryOut(await start(program), argv, output, stops);
    },
    async close() {
      await Promise.all(idle.splice(0).map(retire));
    },
  };
}

async function start(program: readonly string[]): Promise<Worker> {
  const path = join(tmpdir(), `mcp-chaos-output-${randomUUID()}`);
  const output = openSync(path, 'ax+', 0o600);
  unlinkSync(path);
  try {
    const child = await startChild(program, process.env, ['ignore', output, output, 'ipc']);
    const worker: Worker = { child, output, used: false, ended: false };
    void child.exited.then(() => {
      worker.ended = true;
    });
    return worker;
  } catch (error) {
    closeSync(output);
    throw error;
  }
}

async function retire({ child, output }: Worker): Promise<void> {
  await child.sweep(0);
  await child.exited;
  closeSync(output);
}

/** Its answer, or its end without one. */
function answer({ handle, exited }: Child, order: Order): Promise<ChildExit> {
  return new Promise((resolve) => {
    const answered = ({ code }: Done): void => resolve({ code, signal: null });
    handle.once('message', answered as (message: unknown) => void);
    // It may have gone a moment ago; its exit says so.
    handle.send(order, () => {});
    void exited.then((exit) => {
      handle.off('message', answered as (message: unknown) => void);
      resolve(exit);
    });
  });
}

/** Moves to `path` what was written since the last time. */
function move(from: number, path: string): void {
  const to = openSync(path, 'w', 0o600);
  const piece = Buffer.alloc(1 << 16);
  let at = 0;
  for (;;) {
    const length = readSync(from, piece, 0, piece.length, at);
    if (length === 0) break;
    writeSync(to, piece, 0, length);
    at += length;
  }
  closeSync(to);
  ftruncateSync(from, 0);
}
