/** Reads a profile's YAML, and says everything that is wrong with it at once. */
import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { suggestion } from './did-you-mean.ts';
import { explainIssue, type Problem, ProfileError, showPath } from './problem.ts';
import { readRules, sessionShare } from './rules.ts';
import { idsSchema, type Profile, profileSchema, ruleSchema, whenSchema } from './schema.ts';

type Document = ReturnType<typeof parseDocument>;

/**
 * Throws one `ProfileError` that lists all problems as `file:line:column  path  what`. `file` is used in
 * messages only.
 */
export function parseProfile(text: string, file: string): Profile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    throw new ProfileError(
      file,
      document.errors.map((error) => `${at(error.pos[0])}  ${error.message.split('\n')[0]}`),
    );
  }
  const { profile, problems } = readProfile(toData(document, file));
  if (profile !== undefined && problems.length === 0) return profile;
  const located = problems
    .map((problem) => ({ problem, offset: offsetOf(document, problem) }))
    .sort((a, b) => a.offset - b.offset);
  throw new ProfileError(
    file,
    located.map(({ problem, offset }) =>
      [at(offset), showPath(problem.path), problem.what].filter((part) => part !== '').join('  '),
    ),
  );
}

/** Aliases that unfold without bound, or refer to nothing, are errors of this step. */
function toData(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new ProfileError(file, [`${file}:1:1  ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function readProfile(raw: unknown): { readonly profile?: Profile; readonly problems: readonly Problem[] } {
  const parsed = profileSchema.safeParse(raw);
  if (!parsed.success) {
    const shape = parsed.error.issues.flatMap((issue) => explain(issue, raw));
    // The rules that could be read are looked at all the same: one run, all problems.
    return { problems: [...shape, ...readRules(rulesIn(raw)).problems] };
  }
  const { name, description, contract, ids = {}, rules } = parsed.data;
  const read = readRules([...rules.entries()]);
  const share = sessionShare(read.rules, parsed.data.sessionFaults);
  const problems = [...read.problems, ...share.problems];
  if (contract === 'opaque' && parsed.data.ids !== undefined) {
    problems.push({
      path: ['ids'],
      key: true,
      what: 'means nothing under contract "opaque", whose ids are upstream\'s',
    });
  }
  const begin = {
    ...(ids.first === undefined ? {} : { first: ids.first }),
    ...(ids.stride === undefined ? {} : { stride: ids.stride }),
  };
  return {
    profile: { name, description, contract, ids: begin, sessionFaults: share.value, rules: read.rules },
    problems,
  };
}

/** Rules that have the right shape, with their place in the list. */
function rulesIn(raw: unknown): readonly (readonly [number, z.infer<typeof ruleSchema>])[] {
  const list = typeof raw === 'object' && raw !== null && 'rules' in raw ? raw.rules : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index) => {
    const rule = ruleSchema.safeParse(item);
    return rule.success ? [[index, rule.data] as const] : [];
  });
}

function explain(issue: z.core.$ZodIssue, raw: unknown): readonly Problem[] {
  if (issue.code !== 'unrecognized_keys') {
    const value = issue.path.reduce<unknown>(
      (node, key) => (node as Record<PropertyKey, unknown> | undefined)?.[key],
      raw,
    );
    return [{ path: issue.path, what: explainIssue(issue, value) }];
  }
  const known = keysAt(issue.path);
  return issue.keys.map((key) => ({
    path: [...issue.path, key],
    key: true,
    what: `unknown key "${key}" (expected ${known.join(', ')}).${suggestion(key, known)}`,
  }));
}

function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const last = path.at(-1);
  if (last === 'ids') return Object.keys(idsSchema.shape);
  if (last === 'when') return Object.keys(whenSchema.shape);
  return Object.keys(typeof last === 'number' ? ruleSchema.shape : profileSchema.shape);
}

/** Where the thing stands in the text; of what is missing, where its parent does. */
function offsetOf(document: Document, problem: Problem): number {
  const { path } = problem;
  if (problem.key === true) {
    const parent = document.getIn(path.slice(0, -1), true);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
      : undefined;
    if (isNode(pair?.key) && pair.key.range) return pair.key.range[0];
  }
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
