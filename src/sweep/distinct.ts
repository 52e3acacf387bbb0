/** What makes two findings the same way to fail. */
import { sha256Hex } from '../mcp/digest.ts';
import type { Finding } from '../watcher/report.ts';

/** The part of a finding that tells it from others; a case keeps it. */
export interface Distinct extends Pick<Finding, 'obligation' | 'fault' | 'outcome'> {
  readonly method: string | null;
  readonly tool: string | null;
}

/** Never a seed, a port, a session, a scope or a time: the same client fails the same way in all of them. */
export function distinctOf({ obligation, fault, outcome, request }: Finding): Distinct {
  return {
    obligation,
    fault,
    outcome,
    method: request?.method ?? null,
    tool: request?.tool ?? null,
  };
}

/** 8 hex digits. */
export function distinctId({ obligation, fault, outcome, method, tool }: Distinct): string {
  return sha256Hex(JSON.stringify([obligation, fault, outcome, method, tool])).slice(0, 8);
}
