/**
 * Which fields a fact of each kind must have, so that a damaged journal is a named problem and not
 * an exception in the middle of a judgement. Optional fields are not looked at.
 */
import type { FactBody } from './fact.ts';

type FieldKind = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'any';

type RequiredKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];
type Shape<T> = Readonly<Record<Exclude<RequiredKeys<T>, 'kind'>, FieldKind>>;

const shapes = {
  'run-started': {
    format: 'number',
    version: 'string',
    seed: 'string',
    profile: 'string',
    contract: 'string',
    options: 'object',
    command: 'array',
    rules: 'array',
    upstreams: 'array',
    startedAt: 'string',
  },
  request: {
    exchange: 'number',
    connection: 'number',
    upstream: 'string',
    scope: 'string',
    lane: 'string',
    verb: 'string',
    path: 'string',
    headers: 'object',
    mcp: 'boolean',
  },
  'request-body': { exchange: 'number', body: 'object' },
  head: { exchange: 'number', side: 'string', status: 'number', headers: 'object' },
  bytes: { exchange: 'number', side: 'string', body: 'object' },
  end: { exchange: 'number', side: 'string', how: 'string', by: 'string' },
  'stream-opened': { stream: 'string', exchange: 'number', born: 'string' },
  'stream-resumed': { stream: 'string', exchange: 'number', attempt: 'number', from: 'string' },
  decision: {
    id: 'string',
    fault: 'string',
    rule: 'number',
    site: 'string',
    params: 'object',
    exchange: 'number',
  },
  applied: { decision: 'string', exchange: 'number', seam: 'string', prelude: 'boolean', effects: 'string' },
  'not-applicable': { decision: 'string', why: 'string' },
  'session-restarted': { lane: 'string', session: 'string', epoch: 'number' },
  'upstream-process': { upstream: 'string', state: 'string' },
  'deadline-elapsed': { since: 'number' },
  mark: { phase: 'string' },
  'store-evicted': { lane: 'string', stream: 'string', events: 'number', bytes: 'number' },
  rewritten: { exchange: 'number', what: 'string' },
  'left-alone': { reason: 'string', count: 'number' },
  'not-deterministic': { scope: 'string', why: 'string' },
  'internal-error': { where: 'string', message: 'string' },
  'child-started': {},
  // A code or a signal may be null.
  'child-exited': { code: 'any', signal: 'any', durationMs: 'number' },
  'run-ended': { reason: 'string' },
} satisfies { [K in FactBody['kind']]: Shape<Extract<FactBody, { kind: K }>> };

export function isKnownKind(kind: string): kind is FactBody['kind'] {
  return Object.hasOwn(shapes, kind);
}

/** The first thing that is wrong with a fact of a known kind, or `undefined`. */
export function shapeProblem(
  kind: FactBody['kind'],
  fact: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const [name, expected] of Object.entries<FieldKind>(shapes[kind])) {
    if (expected === 'any' ? name in fact : kindOf(fact[name]) === expected) continue;
    return `"${name}" of a "${kind}" fact: expected ${expected === 'any' ? 'a value' : expected}, found ${kindOf(fact[name])}`;
  }
  return 'body' in fact && !isWireBytes(fact.body)
    ? `"body" of a "${kind}" fact: expected text or base64, found neither`
    : undefined;
}

function isWireBytes(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  if ('text' in body) return typeof body.text === 'string';
  return (
    'base64' in body &&
    typeof body.base64 === 'string' &&
    /^[A-Za-z0-9+/]*={0,2}$/.test(body.base64) &&
    body.base64.length % 4 === 0
  );
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
