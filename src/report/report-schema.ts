/**
 * The JSON report's schema, for scripts that read it: published as `schemas/report.schema.json`. It is open:
 * a field may be added under the same `schemaVersion`; one that is removed, renamed or changes its meaning
 * raises it.
 */
import * as z from 'zod';
import { contracts } from '../cursor/contract.ts';
import {
  flagOrder,
  levelsStrictFirst,
  outcomesWorstFirst,
  type Report,
  verdicts,
} from '../watcher/report.ts';

const count = z.int().min(0);
const contract = z.enum(contracts).describe('What the run promised the client about event ids.');
const outcome = z.enum(outcomesWorstFirst);

const decision = z.object({
  id: z.string().describe('Digest of fault and site: the same in every run. For --only.'),
  fault: z.string(),
  site: z
    .string()
    .describe('upstream/scope/lane/method/tool/arguments/occurrence, each part percent-encoded.'),
  params: z.record(z.string(), z.unknown()).describe('Concrete parameters, as drawn.'),
  seam: z.enum(['request', 'head', 'frame', 'resume', 'end']).nullable().describe('Where it acts.'),
  channel: z.enum(['POST', 'GET']).describe('GET: the stand-alone stream.'),
  revision: z.string().nullable().describe('Protocol revision of the session that it struck.'),
  applied: z.boolean().describe('It did something to what the client saw.'),
  why: z.exactOptional(z.string()).describe('Why it was not applied, where that is known.'),
  by: z
    .exactOptional(z.literal('hand'))
    .describe('A person armed it, from the live page: the seed alone does not bring it back.'),
});

const finding = z.object({
  id: z.string(),
  obligation: z.string().describe('The duty it is judged under; see docs/obligations.md.'),
  level: z.enum(levelsStrictFirst),
  fault: z.string().describe('Fault slug; `natural:<what happened>` where nothing was injected.'),
  decision: z.string().nullable(),
  revision: z.string().nullable().describe('Protocol revision in force.'),
  upstream: z.string(),
  scope: z.string(),
  session: z.string().nullable().describe('Pseudonym of the session id.'),
  request: z
    .object({
      id: z.union([z.string(), z.number()]).nullable().describe('JSON-RPC id.'),
      method: z.string(),
      tool: z.string().nullable(),
      exchange: z.int().describe('HTTP exchange, numbered in the journal.'),
    })
    .nullable(),
  detectability: z.enum(['definite', 'inferable', 'none']),
  outcome,
  flags: z.array(z.enum(flagOrder)),
  detected: z.boolean().nullable(),
  countsFor: z
    .enum(['detection', 'false-alarms'])
    .nullable()
    .describe('The ratio in `coverage` whose denominator it is in.'),
  verdict: z.enum(verdicts),
  confidence: z.enum(['proven', 'inferred']),
  latencyMs: z
    .number()
    .min(0)
    .nullable()
    .describe("From the occasion to the client's decisive act, in milliseconds."),
  evidence: z.array(z.int().min(1)).describe('`seq` of the journal facts it rests on.'),
  message: z.object({ shown: z.string(), did: z.string() }),
  reproduce: z.string().describe('The command line that shows it again.'),
});

const faultRow = z.object({
  fault: z.string(),
  control: z.boolean().describe('A correct client survives it.'),
  armed: count,
  applied: count,
  outcomes: z.partialRecord(outcome, count),
  undetectable: count,
});

export const reportSchema = z
  .object({
    schemaVersion: z.literal(1),
    version: z.string().describe('Of mcp-chaos.'),
    seed: z.string(),
    profile: z.string(),
    contract,
    decisionsDigest: z.string().describe('Digest of all decisions: equal where the same was drawn.'),
    exitCode: z.int(),
    void: z.boolean().describe('The evidence cannot be trusted; `notes` say why.'),
    coverage: z.object({
      detection: z.object({ detected: count, total: count }),
      falseAlarms: z.object({ count, total: count }),
      faults: z.object({ armed: count, applied: count }),
    }),
    suite: z.object({
      code: z.int().nullable(),
      signal: z.string().nullable(),
      durationMs: z.number().min(0).nullable(),
    }),
    traffic: z.object({
      requests: count,
      sessions: count,
      streams: count,
      outside: z.array(z.object({ what: z.string(), count })),
    }),
    notes: z.array(z.string()),
    faults: z.array(faultRow),
    decisions: z.array(decision),
    findings: z.array(finding),
  })
  .describe('The report of one run of mcp-chaos: --report json.') satisfies z.ZodType<Report>;

/** JSON Schema, draft 2020-12. */
export function reportJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(reportSchema, { io: 'input' });
}
