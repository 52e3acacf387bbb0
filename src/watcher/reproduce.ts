/** The command line that shows a finding again. */
import type { RunStarted } from '../history/fact.ts';

export function reproduce(started: RunStarted | undefined, decision: string | undefined): string {
  if (started === undefined) return '';
  const words = ['mcp-chaos'];
  if (started.command.length === 0) words.push('proxy');
  const flags = started.flags ?? [];
  // A case has its decisions in its file.
  if (!flags.includes('--case')) words.push('--profile', started.profile, '--seed', started.seed);
  words.push(...flags);
  if (decision !== undefined) words.push('--only', decision);
  if (started.command.length > 0) words.push('--', ...started.command);
  return words.map(quoted).join(' ');
}

/** For a POSIX shell. */
function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
