import { expect, test } from 'vitest';
import { faults } from '../../src/faults/index.ts';
import { profileJsonSchema } from '../../src/profiles/json-schema.ts';

interface Json {
  readonly [key: string]: Json;
}

const schema = profileJsonSchema() as unknown as Json;
const rules = schema.properties!.rules!.items!;

test('is a JSON Schema for the whole file, strict as the parser', () => {
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(schema.additionalProperties).toBe(false);
  expect(Object.keys(schema.properties!)).toEqual([
    'name',
    'description',
    'contract',
    'ids',
    'sessionFaults',
    'rules',
  ]);
  expect(rules.additionalProperties).toBe(false);
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});

test('completes the name of every fault, and the parameters that go with it', () => {
  expect(rules.properties!.fault!.enum).toEqual(faults.map(({ name }) => name));
  const branches = rules.allOf as unknown as readonly Json[];
  expect(branches.map((branch) => branch.if!.properties!.fault!.const)).toEqual(
    faults.map(({ name }) => name),
  );
  const drop = branches.find((branch) => String(branch.if!.properties!.fault!.const) === 'drop-stream')!;
  const params = drop.then!.properties!.params!;
  expect(params.additionalProperties).toBe(false);
  expect(Object.keys(params.properties!)).toEqual(['how', 'where', 'after']);
});

test('a whole number may be a range, and any parameter one of several', () => {
  const branches = rules.allOf as unknown as readonly Json[];
  const params = (fault: string): Json =>
    branches.find((branch) => String(branch.if!.properties!.fault!.const) === fault)!.then!.properties!
      .params!.properties!;
  const forms = (param: Json): readonly unknown[] => param.anyOf as unknown as readonly unknown[];
  expect(forms(params('drop-stream').after!)).toEqual([
    { type: 'integer', minimum: 1, maximum: 100_000 },
    expect.objectContaining({ required: ['oneOf'] }),
    expect.objectContaining({ required: ['min', 'max'] }),
  ]);
  expect(forms(params('drop-stream').how!)).toEqual([
    { type: 'string', enum: ['fin', 'reset', 'complete'] },
    expect.objectContaining({ required: ['oneOf'] }),
  ]);
});
