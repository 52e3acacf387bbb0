import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
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

const validate = new Ajv2020({ strict: false }).compile(schema);
const folder = new URL('../../profiles/', import.meta.url);

test.each(readdirSync(folder))('%s is valid under it', (file) => {
  validate(parse(readFileSync(new URL(file, folder), 'utf8')));
  expect(validate.errors).toBe(null);
});

test.each([
  ['a key that is not known', { contrakt: 'epoch' }],
  ['a fault that does not exist', { rules: [{ fault: 'drop-steam', chance: 1 }] }],
  ['a parameter of another fault', { rules: [{ fault: 'drop-stream', chance: 1, params: { modulus: 8 } }] }],
  [
    'a parameter that is out of its bounds',
    { rules: [{ fault: 'drop-stream', chance: 1, params: { after: 0 } }] },
  ],
])('%s is not', (_, wrong) => {
  const right = {
    name: 'mine',
    description: 'mine',
    contract: 'opaque',
    rules: [{ fault: 'drop-stream', chance: 1 }],
  };
  expect([validate(right), validate({ ...right, ...wrong })]).toEqual([true, false]);
});
