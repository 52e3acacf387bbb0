/** Whether a rule can only ever arm controls. */
import { faultNamed } from '../faults/index.ts';
import { possibleValues } from './fault-params.ts';
import type { Rule } from './schema.ts';

/** True where a correct client survives the fault with whatever parameters may be drawn. */
export function isControlRule(rule: Rule): boolean {
  const fault = faultNamed(rule.fault);
  if (fault === undefined) return false;
  return combinations(Object.entries(rule.params)).every((params) => fault.bind(params).control);
}

function combinations(
  draws: readonly (readonly [string, Rule['params'][string]])[],
): readonly Record<string, unknown>[] {
  return draws.reduce<readonly Record<string, unknown>[]>(
    (sets, [name, draw]) =>
      sets.flatMap((set) => possibleValues(draw).map((value) => ({ ...set, [name]: value }))),
    [{}],
  );
}
