/**
 * Exceptions that nobody caught: bugs of ours. While somebody watches they no longer kill the process
 * before the journal has its last line.
 */
import { ChaosError } from '../errors.ts';

export interface Crashes {
  /** Resolves with the first one. */
  readonly first: Promise<ChaosError>;
  /** Reports a failure that was caught but that the run cannot go on with. */
  report(error: ChaosError): void;
  stop(): void;
}

export function watchCrashes(): Crashes {
  let resolveFirst: (error: ChaosError) => void;
  const first = new Promise<ChaosError>((resolve) => {
    resolveFirst = resolve;
  });
  const handle = (error: Error): void => {
    resolveFirst(new ChaosError('internal', `uncaught ${error.name}: ${error.message}`, { cause: error }));
  };
  process.on('uncaughtException', handle);
  return {
    first,
    report: (error) => resolveFirst(error),
    stop: () => {
      process.off('uncaughtException', handle);
    },
  };
}
