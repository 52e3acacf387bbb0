/**
 * A fault as the rest of the program handles it: its parameter type stays behind `bind`, so that a list
 * of all faults needs no `any`.
 */
import type * as z from 'zod';
import type { Seam } from '../history/fact.ts';
import type { Effect } from './effect.ts';
import type { Detection, Fault, Subject } from './fault.ts';

/** A fault with concrete parameters: what the pump consults and the judge reads. */
export interface BoundFault {
  readonly name: string;
  readonly reach: 'stream' | 'session';
  readonly channels: readonly ('POST' | 'GET')[];
  readonly provokes: readonly string[];
  /** Whole: defaults are filled in. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly seam: Seam;
  readonly control: boolean;
  readonly detectability: Detection;
  plan(subject: Subject): readonly Effect[] | undefined;
}

/** A fault of any parameter type. */
export interface AnyFault
  extends Pick<Fault, 'name' | 'summary' | 'imitates' | 'reach' | 'channels' | 'provokes' | 'needs'> {
  readonly params: z.ZodType;
  /** Throws a `ZodError` where the parameters do not fit the schema. */
  bind(params: unknown): BoundFault;
}

export function anyFault<Params extends Readonly<Record<string, unknown>>>(fault: Fault<Params>): AnyFault {
  const { name, summary, imitates, reach, channels, provokes } = fault;
  return {
    name,
    summary,
    imitates,
    reach,
    channels,
    provokes,
    ...(fault.needs === undefined ? {} : { needs: fault.needs }),
    params: fault.params,
    bind(raw) {
      const params = fault.params.parse(raw);
      return {
        name,
        reach,
        channels,
        provokes,
        params,
        seam: typeof fault.seam === 'function' ? fault.seam(params) : fault.seam,
        control: typeof fault.control === 'function' ? fault.control(params) : fault.control,
        detectability:
          typeof fault.detectability === 'function' ? fault.detectability(params) : fault.detectability,
        plan: (subject) => fault.plan(subject, params),
      };
    },
  };
}
