import type { Argv } from 'yargs';

/** What yargs read: flags by name, positionals by name, and the words after `--`. */
export type Arguments = Readonly<Record<string, unknown>>;

export interface Command {
  /** As yargs knows it; `$0` makes it the default. */
  readonly command: string | readonly string[];
  readonly describe: string;
  /** Adds options, positionals, examples. */
  build(yargs: Argv): Argv;
  /** Resolves with the exit code; rejects with a `ChaosError` for a mistake of the user's. */
  run(args: Arguments): Promise<number>;
}
