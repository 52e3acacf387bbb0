/**
 * What a child may post: one mark, as JSON. Checked strictly, because a mark with a misspelt key would
 * be a mark that silently refers to nothing.
 */
import * as z from 'zod';
import type { MarkFact } from '../history/fact.ts';

const text = (max: number) => z.string().min(1).max(max);

const schema = z.strictObject({
  phase: z.enum(['started', 'resolved', 'rejected']),
  name: text(500).optional(),
  scope: text(200).optional(),
  tool: text(200).optional(),
  requestId: z.union([text(200), z.number()]).optional(),
  error: text(4000).optional(),
});

export type ParsedMark =
  | { readonly ok: true; readonly mark: MarkFact }
  | { readonly ok: false; readonly problem: string };

/** The mark in `body`, or what is wrong with it, in words for whoever posted it. */
export function parseMark(body: string): ParsedMark {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    return { ok: false, problem: `the body is not JSON: ${(error as Error).message}` };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, mark: { kind: 'mark', ...defined(parsed.data) } };
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.map(String).join('.') || 'mark'}: ${issue.message}`,
  );
  return {
    ok: false,
    problem: `${problems.join('; ')}. Expected {"phase": "started" | "resolved" | "rejected", "name"?, "scope"?, "tool"?, "requestId"?, "error"?}`,
  };
}

/** Without the keys whose value is undefined, which a fact must not carry. */
function defined(mark: z.infer<typeof schema>): Omit<MarkFact, 'kind'> {
  return Object.fromEntries(Object.entries(mark).filter(([, value]) => value !== undefined)) as Omit<
    MarkFact,
    'kind'
  >;
}
