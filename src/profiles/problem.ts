/** What is wrong with a profile, in words: which thing, where, what was expected, what was found. */
import type * as z from 'zod';
import { ChaosError } from '../errors.ts';
import { suggestion } from './did-you-mean.ts';

export interface Problem {
  readonly path: readonly PropertyKey[];
  /** It is the key itself that is wrong, not its value. */
  readonly key?: boolean;
  readonly what: string;
}

/** All problems of one file, a line each. */
export class ProfileError extends ChaosError {
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[]) {
    const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
    super('profile', `${file} is not a profile: ${count}\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.problems = problems;
  }
}

/** `rules[2].params.how`; empty for the document itself. */
export function showPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

/** A value as it may stand in a message: short, on one line. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** One issue of a value, with `value` as it was found. Unknown keys are explained where the known ones are. */
export function explainIssue(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? `is missing (expected ${issue.expected})`
        : `found ${show(value)} (expected ${issue.expected})`;
    case 'invalid_value': {
      const expected = issue.values.map(String);
      const near = typeof value === 'string' ? suggestion(value, expected) : '';
      return `${value === undefined ? 'is missing' : `found ${show(value)}`} (expected ${expected.join(', ')}).${near}`;
    }
    case 'too_small':
      return `found ${show(value)} (expected ${bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)})`;
    case 'too_big':
      return `found ${show(value)} (expected ${bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)})`;
    case 'invalid_union':
      return `found ${show(value)} (expected a text or a list of texts)`;
    default:
      return `found ${show(value)} (expected ${issue.message})`;
  }
}

function bound(origin: string, how: string, limit: number | bigint): string {
  if (origin === 'string') return `${how} ${limit} characters`;
  if (origin === 'array') return `${how} ${limit} entries`;
  return `${how} ${limit}`;
}
