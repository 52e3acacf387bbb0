/** The command line that shows a finding again. */
import type { DecisionFact, RunStarted } from '../history/fact.ts';

/** What a person did, a person must do again: the line then ends in a comment that says what. */
export function reproduce(
  started: RunStarted | undefined,
  decision: Pick<DecisionFact, 'id' | 'fault' | 'site' | 'by'> | undefined,
): string {
  if (started === undefined) return '';
  const byHand = decision?.by === 'hand';
  const words = ['mcp-chaos'];
  if (started.command.length === 0) words.push('proxy');
  const flags = started.flags ?? [];
  // A case has its decisions in its file.
  if (!flags.includes('--case')) words.push('--profile', started.profile, '--seed', started.seed);
  words.push(...flags);
  if (byHand) words.push('--ui');
  else if (decision !== undefined) words.push('--only', decision.id);
  if (started.command.length > 0) words.push('--', ...started.command);
  const line = words.map(quoted).join(' ');
  return byHand ? `${line} # then, by hand, ${decision.fault} into ${decision.site}` : line;
}

/** For a POSIX shell. */
function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
