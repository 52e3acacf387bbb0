/** The command line: which commands there are, and what happens to a line that none understands. */
import yargs from 'yargs';
import { ChaosError } from '../errors.ts';
import { suggestion } from '../profiles/did-you-mean.ts';
import { version } from '../runner/version.ts';
import type { Arguments, Command } from './command.ts';
import { check } from './commands/check.ts';
import { explain } from './commands/explain.ts';
import { faults } from './commands/faults.ts';
import { merge } from './commands/merge.ts';
import { profiles } from './commands/profiles.ts';
import { proxy } from './commands/proxy.ts';
import { replay } from './commands/replay.ts';
import { report } from './commands/report.ts';
import { run as runSuite } from './commands/run.ts';
import { serve } from './commands/serve.ts';
import { shrink } from './commands/shrink.ts';
import { sweep } from './commands/sweep.ts';
import { validate } from './commands/validate.ts';
import { exitCodes } from './exit-codes.ts';
import { options } from './options.ts';
import { sayError } from './say.ts';

const commands: readonly Command[] = [
  runSuite,
  sweep,
  merge,
  shrink,
  replay,
  explain,
  profiles,
  faults,
  validate,
  proxy,
  check,
  report,
  serve,
];

/** Runs one command line and resolves with the exit code. Never rejects. */
export async function main(argv: readonly string[]): Promise<number> {
  let code = 0;
  try {
    let program = yargs([...argv])
      .scriptName('mcp-chaos')
      .locale('en')
      .usage(
        "Breaks an MCP client's streams on purpose and says what the client did.\n\n  $0 --profile desync --seed 42 -- npm test",
      )
      .parserConfiguration({
        // What follows -- is the command, and none of our flags.
        'populate--': true,
        // Seeds and ids are text: 007 is not 7.
        'parse-numbers': false,
        'parse-positional-numbers': false,
        // Each flag has one spelling, so that an unknown one is named once.
        'camel-case-expansion': false,
      })
      .exitProcess(false)
      .strict()
      .version(version)
      .help()
      .alias('help', 'h')
      .wrap(Math.min(100, process.stdout.columns ?? 80))
      .epilogue(epilogue())
      .fail((message: string | null, error: Error | undefined) => {
        throw error instanceof ChaosError
          ? error
          : misuse(message ?? error?.message ?? 'the command line was not understood', argv);
      });
    for (const { command, describe, build, run } of commands) {
      const handler = async (args: Arguments): Promise<void> => {
        code = await run(args);
      };
      program = program.command({
        command: typeof command === 'string' ? command : [...command],
        describe,
        builder: build,
        handler,
      });
    }
    await program.parseAsync();
    return code;
  } catch (error) {
    if (error instanceof ChaosError) return sayError(error);
    return sayError(new ChaosError('internal', (error as Error).message, { cause: error }));
  }
}

function epilogue(): string {
  return [
    'Exit codes:',
    ...exitCodes.map(({ code, meaning }) => `  ${String(code).padEnd(4)} ${meaning}`),
  ].join('\n');
}

/** yargs names what it did not know; we say what may have been meant. */
function misuse(message: string, argv: readonly string[]): ChaosError {
  const unknown = /^Unknown (?:argument|command)s?: (.+)$/.exec(message)?.[1]?.split(', ');
  if (unknown === undefined) {
    const missing = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
    if (missing !== undefined)
      return new ChaosError('usage', `--${missing}: expected a value, found none`, {
        hint: 'See mcp-chaos --help.',
      });
    return new ChaosError('usage', message, { hint: 'See mcp-chaos --help.' });
  }
  const [first] = unknown as [string];
  const flag = argv.find(
    (word) => [`--${first}`, `--no-${first}`, `-${first}`].includes(word) || word.startsWith(`--${first}=`),
  );
  if (flag !== undefined) {
    const near = suggestion(
      first,
      options.map(({ name }) => name),
    ).replace(/"(.+)"/, '--$1');
    return new ChaosError('usage', `unknown flag ${flag.split('=', 1)[0]}.${near}`, {
      hint: 'The flags of a command: mcp-chaos <command> --help. Those of your own command follow --.',
    });
  }
  const names = commands.map(({ command }) => String([command].flat()[0]).split(' ', 1)[0]!);
  const near = suggestion(first, names);
  return new ChaosError('usage', `unknown command "${first}".${near}`, {
    hint:
      near === ''
        ? `To wrap it, put it after --: mcp-chaos --profile desync -- ${unknown.join(' ')}. Commands: ${names.join(', ')}.`
        : `Commands: ${names.join(', ')}. A command to wrap follows --.`,
  });
}
