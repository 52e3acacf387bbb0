/** The simplest parameters with which decisions still show what they showed. */
import { faultNamed } from '../faults/index.ts';
import { type ParamSchema, paramsOf } from '../profiles/fault-params.ts';
import type { Decision } from '../schedule/decision.ts';
import type { FirstOf } from './minimise.ts';

type Bare = Pick<Decision, 'fault' | 'site' | 'params'>;

/** All at once, for mostly they do not matter; else one parameter at a time, each as near to its default as it goes. */
export async function simplify<D extends Bare>(
  decisions: readonly D[],
  firstOf: FirstOf<D>,
): Promise<readonly D[]> {
  let rest = decisions;
  const plainest = decisions.map((one) => ({ ...one, params: plainestParams(one) }));
  if (JSON.stringify(plainest) === JSON.stringify(decisions)) return decisions;
  if ((await firstOf([plainest])) === 0) return plainest;
  for (const at of decisions.keys()) {
    for (const name of Object.keys(decisions[at]!.params).sort()) {
      const candidates = simplerValues(rest[at]!, name).map((value) =>
        rest.map((one, index) => (index === at ? { ...one, params: { ...one.params, [name]: value } } : one)),
      );
      if (candidates.length === 0) continue;
      const found = await firstOf(candidates);
      if (found !== undefined) rest = candidates[found]!;
    }
  }
  return rest;
}

function plainestParams(decision: Bare): Bare['params'] {
  const params: Record<string, unknown> = { ...decision.params };
  for (const name of Object.keys(params)) {
    const [plainest = params[name]] = simplerValues({ ...decision, params }, name);
    params[name] = plainest;
  }
  return params;
}

/**
 * Values of one parameter that say less than the one it has, simplest first: the default; of a whole number
 * those between it and the default, halving the way; of a choice those named earlier.
 */
export function simplerValues({ fault: name, params }: Bare, param: string): readonly unknown[] {
  const fault = faultNamed(name);
  const schema = fault === undefined ? undefined : paramsOf(fault)[param];
  if (fault === undefined || schema === undefined) return [];
  const value = params[param];
  const simplest = schema.default ?? smallest(schema);
  if (simplest === undefined || same(simplest, value)) return [];
  return [...new Set([simplest, ...between(schema, simplest, value)])].filter(
    (one) => !same(one, value) && fault.params.safeParse({ ...params, [param]: one }).success,
  );
}

function between(schema: ParamSchema, simplest: unknown, value: unknown): readonly unknown[] {
  if (schema.enum !== undefined) {
    const at = schema.enum.indexOf(value);
    return schema.enum.slice(0, Math.max(0, at));
  }
  if (!Number.isSafeInteger(simplest) || !Number.isSafeInteger(value)) return [];
  const steps: number[] = [];
  let left = (value as number) - (simplest as number);
  for (let step = Math.trunc(left / 2); step !== 0; step = Math.trunc(left / 2)) {
    left -= step;
    steps.push((value as number) - left);
  }
  return steps;
}

function smallest({ type, enum: values, minimum }: ParamSchema): unknown {
  if (values !== undefined) return values[0];
  if (type === 'integer') return minimum;
  return undefined;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
