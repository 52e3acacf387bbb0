/**
 * Every flag, as data: help, the README's table and the check for misspelt flags are made of this list.
 */
import type { Argv } from 'yargs';
import { reporters } from '../report/index.ts';

export interface Option {
  readonly name: string;
  readonly group: 'What happens' | 'To whom' | 'How it is judged' | 'What is kept' | 'Many seeds';
  /** What its value is called in help; absent for a switch. */
  readonly value?: string;
  readonly describe: string;
  /** In words for help; the code that reads the flag applies it. */
  readonly default?: string;
  readonly repeatable?: true;
}

const formats = reporters.map(({ name }) => name).join(', ');

export const options = [
  {
    name: 'profile',
    group: 'What happens',
    value: 'name|file',
    describe: 'which weather: a name from `mcp-chaos profiles`, or a YAML file',
  },
  {
    name: 'seed',
    group: 'What happens',
    value: 's',
    describe: 'same seed, profile and traffic: same faults',
    default: 'drawn, and printed',
  },
  {
    name: 'only',
    group: 'What happens',
    value: 'id',
    repeatable: true,
    describe: 'let only this decision act (its id is in the report)',
  },
  {
    name: 'case',
    group: 'What happens',
    value: 'file',
    describe: 'apply the decisions of this case as written, and draw none; no --profile needed',
  },
  {
    name: 'check-determinism',
    group: 'What happens',
    describe:
      'run the command twice with the same seed and compare what was decided; exit 3 where it differs',
  },
  {
    name: 'timeout',
    group: 'What happens',
    value: 'duration',
    describe: 'end the command after this time (SIGTERM, then SIGKILL)',
    default: 'none',
  },
  {
    name: 'ui',
    group: 'What happens',
    describe: 'show the run in a browser page as it goes, and take faults by hand from there',
  },
  {
    name: 'upstream',
    group: 'To whom',
    value: 'url',
    describe: 'the MCP endpoint of the real server',
    default: 'the embedded server',
  },
  {
    name: 'upstream-cmd',
    group: 'To whom',
    value: 'command',
    describe:
      'start the real server with this command, {port} (and PORT) its port; only such a one can be killed and restarted',
  },
  {
    name: 'upstream-path',
    group: 'To whom',
    value: 'path',
    describe: 'the MCP endpoint of the server that --upstream-cmd starts',
    default: '/mcp',
  },
  {
    name: 'listen',
    group: 'To whom',
    value: '[host:]port',
    describe: 'where the client connects to',
    default: '127.0.0.1, a free port',
  },
  {
    name: 'intercept',
    group: 'To whom',
    describe:
      'MCP to any other URL on this machine goes through the proxy too; --no-intercept leaves it alone',
    default: 'on',
  },
  {
    name: 'url-last',
    group: 'To whom',
    describe: "give the command the client's URL as its last argument, as conformance clients want it",
  },
  {
    name: 'allow-remote',
    group: 'To whom',
    describe: 'allow an upstream or a --listen address that is not loopback',
  },
  {
    name: 'store-events',
    group: 'To whom',
    value: 'n',
    describe: 'replay store: events kept for each session',
    default: '10000',
  },
  {
    name: 'store-bytes',
    group: 'To whom',
    value: 'n',
    describe: 'replay store: bytes kept for each session',
    default: '67108864',
  },
  {
    name: 'deadline',
    group: 'How it is judged',
    value: 'duration',
    describe: 'a call that is still pending and quiet this long after a fault counts as hung',
    default: '10000 (ms)',
  },
  {
    name: 'client-timeout',
    group: 'How it is judged',
    value: 'duration',
    describe: "the client's own request timeout; tells a timeout from a detection",
  },
  {
    name: 'measure-timeout',
    group: 'How it is judged',
    describe: 'find that timeout first: the command runs once more, until it gives up a stalled call',
  },
  {
    name: 'fail-on',
    group: 'How it is judged',
    value: 'what',
    repeatable: true,
    describe: 'fail also on this level, obligation or outcome (for example undetermined)',
  },
  {
    name: 'min-detection',
    group: 'How it is judged',
    value: 'ratio',
    describe:
      'share of the detectable desyncs, from 0 to 1, that must be detected; the rest may then go undetected',
  },
  {
    name: 'expected',
    group: 'How it is judged',
    value: 'file',
    describe: 'known failures that do not fail the run; an entry that no longer fails does',
  },
  {
    name: 'suite-exit',
    group: 'How it is judged',
    describe: 'fail the run also when the command fails',
  },
  {
    name: 'report',
    group: 'What is kept',
    value: 'format[=path]',
    repeatable: true,
    describe: `write a report: ${formats}; \`=-\` is stdout`,
    default: 'the summary on stderr; a path beside the journal',
  },
  {
    name: 'journal',
    group: 'What is kept',
    value: 'file',
    describe: 'where everything that happened is written',
    default: '.mcp-chaos/runs/<time>-<seed>/journal.ndjson',
  },
  {
    name: 'redact',
    group: 'What is kept',
    describe: 'mask message bodies in the journal; ids, methods and structure stay',
  },
  {
    name: 'seeds',
    group: 'Many seeds',
    value: 'n',
    describe: 'how many seeds to run',
    default: '100',
  },
  {
    name: 'from',
    group: 'Many seeds',
    value: 'n',
    describe: 'the first seed; the others follow it',
    default: '1',
  },
  {
    name: 'jobs',
    group: 'Many seeds',
    value: 'n',
    describe: 'runs at a time, where the suite allows it; hung runs overlap',
    default: '1',
  },
  {
    name: 'max-time',
    group: 'Many seeds',
    value: 'duration',
    describe: 'end the sweep after this time, with what it has',
    default: 'none',
  },
  {
    name: 'stop-on',
    group: 'Many seeds',
    value: 'first|never',
    describe: 'end at the lowest seed that fails',
    default: 'never',
  },
  {
    name: 'shard',
    group: 'Many seeds',
    value: 'i/n',
    describe: 'run the i-th of n parts of the seeds',
    default: 'from the CI or Kubernetes job, where it is one of many',
  },
  {
    name: 'result',
    group: 'Many seeds',
    value: 'file',
    describe: 'what merge and --resume read; journals of failing runs are kept beside it',
    default: '.mcp-chaos/sweeps/<time>-<profile>/sweep.ndjson',
  },
  {
    name: 'resume',
    group: 'Many seeds',
    describe: 'go on with the sweep in --result where it stopped; without --result, with the newest',
  },
  {
    name: 'shrink',
    group: 'Many seeds',
    value: 'n',
    describe: 'make cases of so many findings, worst first: the fewest decisions that show each; 0 = none',
    default: '5',
  },
  {
    name: 'shrink-time',
    group: 'Many seeds',
    value: 'duration',
    describe: 'how long shrinking may take for each finding',
    default: '2m',
  },
  {
    name: 'prune',
    group: 'Many seeds',
    describe: 'replay: remove the cases that are fixed',
  },
] as const satisfies readonly Option[];

export type OptionName = (typeof options)[number]['name'];

/** What a single run understands. */
export const runOptions: readonly OptionName[] = options
  .filter(({ group }) => group !== 'Many seeds')
  .map(({ name }) => name);

/** What makes a run fail: `readPolicy` reads them. */
export const policyOptions = ['fail-on', 'min-detection', 'expected', 'suite-exit'] as const;

/** What a command understands that judges a stored journal again. */
export function withJournal<T>(yargs: Argv<T>): Argv<T> {
  const journal = { type: 'string', describe: 'the journal of a run' } as const;
  return withOptions(yargs.positional('journal', journal) as unknown as Argv<T>, [
    'report',
    ...policyOptions,
  ]);
}

/** Adds the named options, in the list's order and groups. Values stay strings: they are read in one place. */
export function withOptions<T>(yargs: Argv<T>, names: readonly OptionName[]): Argv<T> {
  let built = yargs;
  for (const option of options as readonly Option[]) {
    if (!names.includes(option.name as OptionName)) continue;
    const value = option.value === undefined ? '' : ` <${option.value}>`;
    const fallback = option.default === undefined ? '' : ` [${option.default}]`;
    built = built.option(option.name, {
      type: option.value === undefined ? 'boolean' : 'string',
      group: `${option.group}:`,
      describe: `${value === '' ? '' : `${value.trim()}  `}${option.describe}${fallback}`,
      ...(option.value === undefined ? {} : { requiresArg: true }),
      ...(option.repeatable === true ? { array: true, nargs: 1 } : {}),
    }) as Argv<T>;
  }
  return built;
}
