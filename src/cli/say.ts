/** What the program says to people: on stderr, so that stdout stays the child's, or data. */
import picocolors from 'picocolors';
import { type ChaosError, exitCodeOf } from '../errors.ts';
import { inertText } from '../report/inert.ts';
import { wrap } from '../report/lines.ts';

interface Screen {
  readonly isTTY?: boolean;
}

/** NO_COLOR (no-color.org) beats FORCE_COLOR beats the terminal. */
export function wantsColour(screen: Screen, environment: NodeJS.ProcessEnv = process.env): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return screen.isTTY === true && TERM !== 'dumb';
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Names the error, then how to put it right; returns the exit code. Only a bug of ours shows its stack. */
export function sayError(error: ChaosError, journalPath?: string): number {
  const colours = picocolors.createColors(wantsColour(process.stderr));
  say(`${colours.red('mcp-chaos:')} ${error.message.split('\n').map(inertText).join('\n')}`);
  if (error.hint !== undefined) for (const line of error.hint.split('\n')) say(hintLines(inertText(line)));
  if (error.code === 'internal') {
    const cause = error.cause instanceof Error ? error.cause : error;
    say(cause.stack ?? '');
    say(
      `This is a bug of mcp-chaos. Please report it${journalPath === undefined ? '' : `, with the journal ${journalPath}`}.`,
    );
  }
  return exitCodeOf(error.code);
}

/** A short hint may be a command to paste and stays on its line; a long one is a list. */
function hintLines(hint: string): string {
  return hint.length > 160 ? wrap(hint, '  ') : `  ${hint}`;
}
