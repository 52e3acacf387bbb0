/**
 * The journal's form: one fact a line, JSON. Reading is tolerant, because a journal may be cut by a
 * crash or written by a later version: whatever is wrong becomes a problem with its line number, and
 * the rest is read.
 */
import type { Fact } from './fact.ts';
import { isKnownKind, shapeProblem } from './shape.ts';

/** One line with its line end. JSON has no raw line break, so a line is a fact. */
export function encodeFact(fact: Fact): string {
  return `${JSON.stringify(fact)}\n`;
}

export type DecodedLine =
  | { readonly fact: Fact }
  /** A fact kind of a later format. */
  | { readonly unknownKind: string; readonly seq: number }
  | { readonly problem: string };

/** Reads one line, with or without its line end, for readers that follow a journal as it grows. */
export function decodeLine(line: string): DecodedLine {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return { problem: `expected a JSON object, found ${excerpt(line)}` };
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { problem: `expected a JSON object, found ${excerpt(line)}` };
  }
  const record = json as Readonly<Record<string, unknown>>;
  const { kind, seq, at } = record;
  if (typeof kind !== 'string') return { problem: `expected a fact with a "kind", found ${excerpt(line)}` };
  if (!Number.isSafeInteger(seq) || (seq as number) < 1) {
    return {
      problem: `"seq" of a "${kind}" fact: expected a whole number from 1, found ${JSON.stringify(seq)}`,
    };
  }
  if (typeof at !== 'number')
    return { problem: `"at" of a "${kind}" fact: expected milliseconds, found ${JSON.stringify(at)}` };
  if (!isKnownKind(kind)) return { unknownKind: kind, seq: seq as number };
  const problem = shapeProblem(kind, record);
  return problem === undefined ? { fact: record as unknown as Fact } : { problem };
}

export interface DecodedJournal {
  /** In order of `seq`, each once. */
  readonly facts: Fact[];
  /** Each begins with `line <n>: `, from 1. */
  readonly problems: string[];
}

/** Reads a whole journal. Never throws. */
export function decodeJournal(text: string): DecodedJournal {
  const facts: Fact[] = [];
  const problems: string[] = [];
  const unknownKinds = new Set<string>();
  const seen = new Set<number>();
  let highest = 0;
  let sorted = true;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const note = (problem: string) => problems.push(`line ${index + 1}: ${problem}`);
    const read = decodeLine(line);
    if ('problem' in read) {
      note(index === lines.length - 1 ? `the last line was cut: ${read.problem}` : read.problem);
      continue;
    }
    const seq = 'fact' in read ? read.fact.seq : read.seq;
    if (seen.has(seq)) {
      note(`duplicate seq ${seq}; the first fact with it is kept`);
      continue;
    }
    seen.add(seq);
    if (seq > highest + 1) note(`seq ${missing(highest + 1, seq - 1)} missing before ${seq}`);
    else if (seq < highest) {
      note(`seq ${seq} after ${highest}; put back in order`);
      sorted = false;
    }
    highest = Math.max(highest, seq);
    if ('fact' in read) facts.push(read.fact);
    else if (!unknownKinds.has(read.unknownKind)) {
      unknownKinds.add(read.unknownKind);
      note(
        `unknown fact kind ${JSON.stringify(read.unknownKind)}, left out here and from now on; written by a later version?`,
      );
    }
  }
  if (!sorted) facts.sort((a, b) => a.seq - b.seq);
  return { facts, problems };
}

function missing(from: number, to: number): string {
  return from === to ? `${from} is` : `${from} to ${to} are`;
}

function excerpt(line: string): string {
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 60)}…` : line);
}
