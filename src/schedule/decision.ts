import type { CallView } from '../faults/fault.ts';
import type { CallSite } from './site.ts';

/** A fault armed at a site, with concrete parameters. `id` is stable across runs: a digest of fault and site. */
export interface Decision {
  readonly id: string;
  readonly rule: number;
  readonly fault: string;
  readonly site: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What the schedule is asked about, once for each call. */
export interface ScheduleSubject {
  readonly site: CallSite;
  readonly call: CallView;
  /** The upstream is a process that the run can restart. */
  readonly managed?: boolean;
  /** The how-many-th request with this method the lane has sent, from 1; for `nth` rules only. */
  readonly ordinal: number;
}
