/**
 * The JSON Schema of profile files, so that editors complete and check them: published as
 * `schemas/profile.schema.json`.
 */
import * as z from 'zod';
import { faults } from '../faults/index.ts';
import { type ParamSchema, paramsOf } from './fault-params.ts';
import { profileSchema, ruleSchema } from './schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** Draft 2020-12. What a schema cannot say (either `chance` or `nth`, …) only `parseProfile` checks. */
export function profileJsonSchema(): Json {
  const profile = z.toJSONSchema(profileSchema, { io: 'input' });
  const rule = z.toJSONSchema(ruleSchema, { io: 'input' });
  const { $schema: _, ...ruleBody } = rule;
  const items = {
    ...ruleBody,
    properties: { ...rule.properties, fault: { enum: faults.map(({ name }) => name) } },
    allOf: faults.map((fault) => ({
      if: { properties: { fault: { const: fault.name } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { description: fault.summary, properties: { params: drawnParams(paramsOf(fault)) } },
    })),
  };
  return { ...profile, properties: { ...profile.properties, rules: { type: 'array', items } } };
}

function drawnParams(params: Readonly<Record<string, ParamSchema>>): Json {
  const properties = Object.fromEntries(
    Object.entries(params).map(([name, { description, default: fallback, ...value }]) => [
      name,
      {
        description,
        default: fallback,
        anyOf: [value, oneOf(value), ...(value.type === 'integer' ? [range] : [])],
      },
    ]),
  );
  return { type: 'object', properties, additionalProperties: false };
}

function oneOf(value: Json): Json {
  return {
    type: 'object',
    properties: { oneOf: { type: 'array', items: value, minItems: 1 } },
    required: ['oneOf'],
    additionalProperties: false,
  };
}

const range: Json = {
  type: 'object',
  properties: { min: { type: 'integer' }, max: { type: 'integer' } },
  required: ['min', 'max'],
  additionalProperties: false,
};
