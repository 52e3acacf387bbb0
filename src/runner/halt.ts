/** What ends many runs before their time: Ctrl+C, a second one, and a limit. */
import { watchInterrupts } from './interrupts.ts';
import type { Stops } from './workers.ts';

export interface Halt extends Stops {
  /** Of the first; undefined where nothing ended them. */
  reason(): 'interrupted' | 'max-time' | undefined;
  /** Gives the signals back to Node. */
  end(): void;
}

/** Takes over SIGINT, SIGTERM and SIGHUP until `end`. */
export function createHalt(maxTimeMs?: number): Halt {
  const interrupts = watchInterrupts();
  const stop = new AbortController();
  const kill = new AbortController();
  let reason: ReturnType<Halt['reason']>;
  interrupts.listen((_signal, nth) => {
    reason ??= 'interrupted';
    stop.abort();
    if (nth === 2) kill.abort();
    if (nth > 2) process.exit(130);
  });
  const atLimit = (): void => {
    reason ??= 'max-time';
    stop.abort();
  };
  const timer = maxTimeMs === undefined ? undefined : setTimeout(atLimit, maxTimeMs);
  return {
    stop: stop.signal,
    kill: kill.signal,
    reason: () => reason,
    end: () => {
      clearTimeout(timer);
      interrupts.stop();
    },
  };
}
