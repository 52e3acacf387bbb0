/** Time, as the guard sees it: injected in tests, the platform's otherwise. */

export type Cancel = () => void;

export interface GuardClock {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /**
   * Runs once after so many milliseconds, which may be more than 2^31 or infinite. With `background` the wait
   * alone does not keep a process alive.
   */
  after(delayMs: number, run: () => void, background?: boolean): Cancel;
}

/** `setTimeout` takes 2^31 - 1 ms at most; Node turns anything longer into 1 ms, a storm of reconnects. */
const longest = 2 ** 31 - 1;

export const systemClock: GuardClock = {
  now: () => performance.now(),
  after(delayMs, run, background = false) {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (left: number): void => {
      timer = setTimeout(() => (left > longest ? arm(left - longest) : run()), Math.min(left, longest));
      // Browsers have numbers for timers, and no process to keep alive.
      if (background && typeof timer === 'object') timer.unref();
    };
    arm(delayMs);
    return () => clearTimeout(timer);
  },
};
