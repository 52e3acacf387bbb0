/** The parameters of a fault as a rule may give them: as they are, or to be drawn. */
import * as z from 'zod';
import type { AnyFault } from '../faults/bound-fault.ts';
import { suggestion } from './did-you-mean.ts';
import { explainIssue, type Problem, show } from './problem.ts';
import type { ParamDraw } from './schema.ts';

/** JSON Schema of one parameter, as far as it is read here. */
export interface ParamSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly [key: string]: unknown;
}

/** By name, in the order in which the fault declares them. */
export function paramsOf(fault: AnyFault): Readonly<Record<string, ParamSchema>> {
  const schema = z.toJSONSchema(fault.params, { io: 'input' });
  return (schema.properties ?? {}) as Readonly<Record<string, ParamSchema>>;
}

/** Reads a rule's parameters; `path` leads to them. Nothing is drawn. */
export function readParams(
  fault: AnyFault,
  raw: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
): { readonly params: Readonly<Record<string, ParamDraw>>; readonly problems: readonly Problem[] } {
  const known = paramsOf(fault);
  const params: Record<string, ParamDraw> = {};
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(raw)) {
    const at = [...path, name];
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    if (schema === undefined) {
      problems.push({ path: at, key: true, what: unknownParam(fault, name, Object.keys(known)) });
      continue;
    }
    const draw = readDraw(value);
    const wrong =
      draw === undefined
        ? `found ${show(value)} (expected { min, max } or { oneOf: [...] })`
        : objection(fault, name, schema, draw);
    if (wrong !== undefined) problems.push({ path: at, what: wrong });
    else params[name] = draw!;
  }
  return { params, problems };
}

function unknownParam(fault: AnyFault, name: string, known: readonly string[]): string {
  const expected = known.length === 0 ? 'none' : known.join(', ');
  return `unknown key "${name}" for fault "${fault.name}" (expected ${expected}).${suggestion(name, known)}`;
}

/** No parameter is an object by itself, so every object is meant to be drawn from. */
function readDraw(value: unknown): ParamDraw | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { draw: 'value', value };
  const range = z.strictObject({ min: z.int(), max: z.int() }).safeParse(value);
  if (range.success) return { draw: 'range', ...range.data };
  const oneOf = z.strictObject({ oneOf: z.array(z.unknown()).min(1) }).safeParse(value);
  return oneOf.success ? { draw: 'oneOf', of: oneOf.data.oneOf } : undefined;
}

function objection(fault: AnyFault, name: string, schema: ParamSchema, draw: ParamDraw): string | undefined {
  if (draw.draw === 'range') {
    if (schema.type !== 'integer')
      return 'found { min, max } (expected a value or { oneOf: [...] }: ranges are for whole numbers)';
    if (draw.min > draw.max) return `found min ${draw.min} above max ${draw.max} (expected min <= max)`;
  }
  for (const value of possibleValues(draw)) {
    const result = fault.params.safeParse({ [name]: value });
    const issue = result.error?.issues.find(({ path }) => path[0] === name);
    if (issue !== undefined) return explainIssue(issue, value);
  }
  return undefined;
}

/** Every value that may be drawn; of a range its ends, between which no parameter changes its meaning. */
export function possibleValues(draw: ParamDraw): readonly unknown[] {
  switch (draw.draw) {
    case 'value':
      return [draw.value];
    case 'range':
      return [draw.min, draw.max];
    case 'oneOf':
      return draw.of;
  }
}
