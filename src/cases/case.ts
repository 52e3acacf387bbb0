/**
 * A case: one way to fail, with the decisions that show it. A file for people to read, review and commit, and
 * for `replay` to apply: everything that matters stands in it, so it means the same after a profile, a fault's
 * defaults or the generator of chance have changed.
 */
import { parseDocument, stringify } from 'yaml';
import * as z from 'zod';
import { type Contract, contracts } from '../cursor/contract.ts';
import { ChaosError } from '../errors.ts';
import { faultNamed, faults } from '../faults/index.ts';
import { sha256Hex } from '../mcp/digest.ts';
import { suggestion } from '../profiles/did-you-mean.ts';
import { idsSchema, type Profile } from '../profiles/schema.ts';
import { decisionId } from '../schedule/arm.ts';
import type { Decision } from '../schedule/decision.ts';
import { type Distinct, distinctId } from '../sweep/distinct.ts';

export interface Case {
  readonly format: 1;
  /** What fails. `shown` and `did` are for people. */
  readonly finding: Distinct & { readonly level: string; readonly shown: string; readonly did: string };
  /** Where it was found. */
  readonly profile: string;
  readonly seed: string;
  readonly contract: Contract;
  readonly ids: Profile['ids'];
  /** Applied as they stand here, and none besides. */
  readonly decisions: readonly Pick<Decision, 'fault' | 'site' | 'params'>[];
  /** How often it showed when these decisions were applied at the end: `times` of `runs`. */
  readonly shows: { readonly times: number; readonly runs: number };
  readonly shrunk: { readonly from: number; readonly runs: number };
  /** The wrapped command, secrets masked. */
  readonly command: readonly string[];
  /** Further flags of the run. */
  readonly flags: readonly string[];
  /** Of mcp-chaos. */
  readonly version: string;
}

const text = z.string().min(1);
const schema = z.strictObject({
  format: z.literal(1),
  finding: z.strictObject({
    obligation: text,
    level: text,
    fault: text,
    outcome: text,
    method: text.nullable(),
    tool: text.nullable(),
    shown: z.string(),
    did: z.string(),
  }),
  profile: text,
  seed: z.string(),
  contract: z.enum(contracts),
  ids: idsSchema.default({}),
  decisions: z.array(
    z.strictObject({ fault: text, site: text, params: z.record(z.string(), z.unknown()).default({}) }),
  ),
  shows: z.strictObject({ times: z.int().min(1), runs: z.int().min(1) }),
  shrunk: z.strictObject({ from: z.int().min(0), runs: z.int().min(0) }),
  command: z.array(z.string()),
  flags: z.array(z.string()).default([]),
  version: text,
});

/**
 * Reads a case's YAML. `file` is used in messages only.
 * @throws ChaosError `usage` that lists what is wrong with it.
 */
export function parseCase(content: string, file: string): Case {
  const document = parseDocument(content, { prettyErrors: false });
  const wrong = (problems: readonly string[]): ChaosError =>
    new ChaosError(
      'usage',
      `the case ${file} cannot be read:\n${problems.map((one) => `  ${one}`).join('\n')}`,
      {
        hint: 'Cases are written by mcp-chaos sweep and mcp-chaos shrink. What may be edited: command and flags.',
      },
    );
  if (document.errors.length > 0) throw wrong(document.errors.map((error) => error.message.split('\n')[0]!));
  const parsed = schema.safeParse(document.toJS());
  if (!parsed.success) {
    throw wrong(
      parsed.error.issues.map((issue) => `${z.core.toDotPath(issue.path) || 'the file'}: ${issue.message}`),
    );
  }
  const problems = parsed.data.decisions.flatMap(({ fault, params }, at) => {
    const found = problemOf(fault, params);
    return found === undefined ? [] : [`decisions[${at}]: ${found}`];
  });
  if (problems.length > 0) throw wrong(problems);
  return parsed.data as Case;
}

/** A fault may have been renamed, or its parameters may have changed, since the case was written. */
function problemOf(name: string, params: Readonly<Record<string, unknown>>): string | undefined {
  const fault = faultNamed(name);
  const names = faults.map((one) => one.name);
  if (fault === undefined) return `there is no fault "${name}".${suggestion(name, names)}`;
  const parsed = fault.params.safeParse(params);
  if (parsed.success) return undefined;
  const [issue] = parsed.error.issues;
  return `params of ${name}: ${z.core.toDotPath(issue!.path) || 'all'}: ${issue!.message}`;
}

/** With a line that says what to do with it. */
export function writeCase(one: Case, path: string): string {
  const { finding } = one;
  const what = `${finding.fault}: ${finding.outcome}, ${finding.level} ${finding.obligation}`;
  return `# ${what}\n# mcp-chaos replay ${path}\n${stringify(one, { lineWidth: 100 })}`;
}

/** `skip-events-accepted-0a1b2c3d`: the same way to fail, by the same command, is the same file. */
export function caseName({ finding, command }: Pick<Case, 'finding' | 'command'>): string {
  const digest = sha256Hex(JSON.stringify([distinctId(finding), command])).slice(0, 8);
  return `${finding.fault}-${finding.outcome}-${digest}`.replace(/[^\w.-]+/g, '-');
}

export function decisionsOf({ decisions }: Pick<Case, 'decisions'>): readonly Decision[] {
  return decisions.map((decision, rule) => ({
    id: decisionId(decision.fault, decision.site),
    rule,
    ...decision,
  }));
}

/** What the proxy needs to know beside the decisions. Nothing is drawn from its rules: the decisions stand. */
export function profileOf({ profile, contract, ids, decisions }: Case): Profile {
  return {
    name: profile,
    description: 'The decisions of a case.',
    contract,
    ids,
    sessionFaults: 0,
    rules: decisions.map(({ fault, params }) => ({
      fault,
      params: Object.fromEntries(
        Object.entries(params).map(([name, value]) => [name, { draw: 'value', value } as const]),
      ),
      when: {},
      nth: 1,
    })),
  };
}
