/**
 * Signals that ask us to end. While somebody listens they no longer kill the process, so whoever calls
 * this must see the run to its end.
 */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interrupts {
  /** How many signals came so far. */
  readonly count: number;
  /** Resolves with the first signal. */
  readonly first: Promise<NodeJS.Signals>;
  /** Calls `listener` for every signal from now on, with its number from 1. */
  listen(listener: (signal: NodeJS.Signals, nth: number) => void): void;
  /** Gives the signals back to Node. */
  stop(): void;
}

export function watchInterrupts(): Interrupts {
  const listeners = new Set<(signal: NodeJS.Signals, nth: number) => void>();
  let count = 0;
  let resolveFirst: (signal: NodeJS.Signals) => void;
  const first = new Promise<NodeJS.Signals>((resolve) => {
    resolveFirst = resolve;
  });
  const handle = (signal: NodeJS.Signals): void => {
    count += 1;
    resolveFirst(signal);
    for (const listener of listeners) listener(signal, count);
  };
  for (const signal of signals) process.on(signal, handle);
  return {
    get count() {
      return count;
    },
    first,
    listen: (listener) => {
      listeners.add(listener);
    },
    stop: () => {
      for (const signal of signals) process.off(signal, handle);
    },
  };
}
