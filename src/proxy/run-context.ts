import type { ArmingOptions } from './arming.ts';
import type { Lanes } from './lanes.ts';
import type { Recorder } from './recorder.ts';
import type { UpstreamAddress } from './upstream-link.ts';

/** What every exchange of one proxy shares. */
export interface RunContext {
  readonly record: Recorder;
  readonly lanes: Lanes;
  readonly arming: ArmingOptions;
  readonly upstream: UpstreamAddress;
  /** How long a stream without a client is kept when the client itself went away, in ms. */
  readonly deadlineMs: number;
  /** The profile has rules: frames are looked at one by one, and bodies are read before upstream sees them. */
  readonly active: boolean;
  /** Our own address, as clients see it. */
  readonly origin: () => string;
  /** Records `deadline-elapsed` for fact `since` once the deadline has passed. */
  watch(since: number): void;
  nextStream(): number;
  /** Lanes of a scope overlapped, so their ordinals depend on timing; recorded once a scope. */
  notDeterministic(scope: string): void;
}
