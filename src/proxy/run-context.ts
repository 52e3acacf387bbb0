import type { Sighting } from '../intercept/recognise.cjs';
import type { ArmingOptions } from './arming.ts';
import type { Lanes } from './lanes.ts';
import type { Recorder } from './recorder.ts';
import type { Untouched } from './untouched.ts';
import type { UpstreamAddress } from './upstream-link.ts';
import type { Upstreams } from './upstreams.ts';

/** What every exchange of one proxy shares. */
export interface RunContext {
  readonly record: Recorder;
  readonly lanes: Lanes;
  readonly arming: ArmingOptions;
  /** Behind our own address. */
  readonly upstream: UpstreamAddress;
  /** All others, which clients address by themselves. */
  readonly upstreams: Upstreams;
  /** Whoever has it may name a server. */
  readonly token: string;
  /** Servers on other machines too. */
  readonly allowRemote: boolean;
  /** Recognises MCP among all that a client sends to its forward proxy. */
  isMcp(seen: Sighting): boolean;
  readonly untouched: Untouched;
  /** The longest that a stream without a client is kept when the client itself went away, in ms. */
  readonly deadlineMs: number;
  /** The profile has rules: frames are looked at one by one, and bodies are read before upstream sees them. */
  readonly active: boolean;
  /** Our own address, as clients see it. */
  readonly origin: () => string;
  /** Records `deadline-elapsed` for fact `since` once the deadline has passed. */
  watch(since: number): void;
  nextStream(): number;
  /** Something in this scope depends on timing, for this reason; recorded once a scope and reason. */
  notDeterministic(scope: string, why: string): void;
}
