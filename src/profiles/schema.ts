/**
 * Profiles: data that says which faults a run has, where and how often. Strict, because a mistyped key
 * that is ignored would silently weaken every test that uses the profile.
 */
import * as z from 'zod';
import { type Contract, contracts } from '../cursor/contract.ts';

/** A parameter as a rule gives it. All but `value` are drawn when a decision is made. */
export type ParamDraw =
  | { readonly draw: 'value'; readonly value: unknown }
  /** Whole numbers, both bounds included. */
  | { readonly draw: 'range'; readonly min: number; readonly max: number }
  | { readonly draw: 'oneOf'; readonly of: readonly unknown[] };

/** Which calls a rule is for. Several values of one key are alternatives; a key left out means any. */
export interface When {
  readonly channel?: 'POST' | 'GET';
  /** Without it every method but `initialize`: a broken handshake would hide all that comes after it. */
  readonly method?: readonly string[];
  readonly tool?: readonly string[];
  /** Scopes; `*` stands for any characters. */
  readonly scope?: readonly string[];
  /** Whether the upstream is a process that the run can restart. */
  readonly managed?: boolean;
}

export interface Rule {
  readonly fault: string;
  readonly params: Readonly<Record<string, ParamDraw>>;
  readonly when: When;
  /** Probability for each call that fits; a rule has this or `nth`. */
  readonly chance?: number;
  /** The lane's n-th request of its method, from 1. */
  readonly nth?: number;
}

export interface Profile {
  readonly name: string;
  readonly description: string;
  readonly contract: Contract;
  /** Where owned ids begin, and how many numbers each stream has to itself. */
  readonly ids: { readonly first?: number; readonly stride?: number };
  /** Share of lanes that get one session fault and no stream faults. */
  readonly sessionFaults: number;
  readonly rules: readonly Rule[];
}

const oneOrMore = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

const maxId = Number.MAX_SAFE_INTEGER;

export const whenSchema = z.strictObject({
  channel: z.enum(['POST', 'GET']).optional().describe('How the stream was asked for.'),
  method: oneOrMore
    .optional()
    .describe('JSON-RPC methods; `GET` is the stand-alone stream. Left out: all but `initialize`.'),
  tool: oneOrMore.optional().describe('Tool names, for `tools/call`.'),
  scope: oneOrMore.optional().describe('Scopes of the traffic; `*` stands for any characters.'),
  managed: z
    .boolean()
    .optional()
    .describe('Only where the run starts the upstream itself (--upstream-cmd), or only where it does not.'),
});

export const ruleSchema = z.strictObject({
  fault: z.string().describe('The name of a fault.'),
  params: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Its parameters: a value, `{ oneOf: [...] }`, or for whole numbers `{ min, max }`.'),
  when: whenSchema.optional().describe('Which calls the rule is for.'),
  chance: z.number().gt(0).max(1).optional().describe('Probability for each call that fits.'),
  nth: z.int().min(1).optional().describe('The n-th request of its method in its session, from 1.'),
});

export const idsSchema = z.strictObject({
  first: z.int().min(1).max(maxId).optional().describe('The first id of the first stream; 1 if left out.'),
  stride: z
    .int()
    .min(1)
    .max(maxId)
    .optional()
    .describe('Numbers set aside for each stream; 1000000 if left out.'),
});

export const profileSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'a slug of lower-case letters, digits and single hyphens')
    .describe('One slug, which the journal and the report repeat.'),
  description: z.string().min(1).describe('What happens under this profile, and what it teaches.'),
  contract: z.enum(contracts).describe('What the run promises its clients about event ids.'),
  ids: idsSchema.optional().describe('The numbers that owned ids begin with.'),
  sessionFaults: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Share of sessions that get one session fault and no stream faults.'),
  rules: z.array(ruleSchema).describe('Which faults, where and how often.'),
});

/** A rule as it stands in the file. */
export type RuleText = z.infer<typeof ruleSchema>;
