import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { reporterNamed } from '../../src/report/index.ts';
import type { Report } from '../../src/watcher/report.ts';
import { broken, calm, hostile } from './sample.ts';

type Json = { readonly [key: string]: unknown };

const published = JSON.parse(
  readFileSync(new URL('../../schemas/report.schema.json', import.meta.url), 'utf8'),
) as Json;
const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(published);
const rendered = (report: Report): Json =>
  JSON.parse(reporterNamed('json')!.render(report, { colour: false })) as Json;

describe('the published schema', () => {
  test.each([
    ['broken', broken],
    ['calm', calm],
    ['hostile', hostile],
  ])('the report "%s" is valid', (_name, report) => {
    validate(rendered(report));
    expect(validate.errors).toBeNull();
  });

  test('names every field that a report has', () => {
    expect(unnamed(rendered(broken), published)).toEqual([]);
    expect(unnamed({ ...rendered(broken), more: 1 }, published)).toEqual(['/more']);
  });

  test.each([
    ['a field is gone', ({ seed: _, ...rest }: Json) => rest],
    ['another version', (report: Json) => ({ ...report, schemaVersion: 2 })],
    ['an outcome that does not exist', (report: Json) => withFinding(report, { outcome: 'fine' })],
    ['evidence that is no fact', (report: Json) => withFinding(report, { evidence: [0] })],
  ])('refuses a report where %s', (_what, change) => {
    expect(validate(change(rendered(broken)))).toBe(false);
  });
});

function withFinding(report: Json, part: Json): Json {
  const [first, ...rest] = report.findings as Json[];
  return { ...report, findings: [{ ...first, ...part }, ...rest] };
}

/** Paths of the value that the schema has no property for. */
function unnamed(value: unknown, schema: Json, path = ''): readonly string[] {
  if (Array.isArray(value)) {
    return [...new Set(value.flatMap((item) => unnamed(item, (schema.items ?? {}) as Json, `${path}/*`)))];
  }
  if (typeof value !== 'object' || value === null) return [];
  const body = ((schema.anyOf as Json[] | undefined)?.find((one) => one.type === 'object') ?? schema) as Json;
  const properties = body.properties as Readonly<Record<string, Json>> | undefined;
  if (properties === undefined) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    properties[key] === undefined ? [`${path}/${key}`] : unnamed(inner, properties[key], `${path}/${key}`),
  );
}
