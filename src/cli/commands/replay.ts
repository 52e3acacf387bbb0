/** Applies the decisions of cases as they were recorded, and says of each whether it still fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case } from '../../cases/case.ts';
import { type Replayed, replayed } from '../../cases/replayed.ts';
import { ChaosError } from '../../errors.ts';
import { plural } from '../../report/lines.ts';
import { type ApartRun, type Launch, runApart } from '../../runner/apart.ts';
import { readCaseFile } from '../../runner/case-files.ts';
import { createHalt, type Halt } from '../../runner/halt.ts';
import type { Arguments, Command } from '../command.ts';
import { passedOn, workersOfThisProgram } from '../launch.ts';
import { withOptions } from '../options.ts';
import { readSwitch, readTexts, readWords } from '../read.ts';
import { say } from '../say.ts';
import { flagWords } from '../setup.ts';

export const replay: Command = {
  command: 'replay <cases...>',
  describe: 'apply recorded cases again: fixed, still failing, or no longer reachable',
  build: (yargs) =>
    withOptions(
      yargs.positional('cases', { type: 'string', array: true, describe: 'case files' }) as typeof yargs,
      [...passedOn, 'prune'],
    )
      .example('$0 replay .mcp-chaos/cases/*.yaml', 'each with the command that it was found with')
      .example(
        '$0 replay .mcp-chaos/cases/*.yaml --prune -- npm test',
        'with this command; what is fixed goes',
      ),
  async run(args) {
    const paths = readTexts(args, 'cases');
    const cases = paths.map((path) => ({ path, recorded: readCaseFile(path) }));
    const workers = workersOfThisProgram();
    const plans = cases.map(({ path, recorded }) => ({
      path,
      recorded,
      launch: { workers, ...readLaunchOf(args, path, recorded) },
    }));
    const folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-replay-'));
    const halt = createHalt();
    const verdicts: Replayed['verdict'][] = [];
    let worst = 0;
    try {
      for (const [at, { path, recorded, launch }] of plans.entries()) {
        const own = join(folder, String(at));
        const { result, code } = await replayOne(recorded, path, launch, own, halt);
        if (halt.reason() !== undefined) return 130;
        if (code !== undefined) worst = Math.max(worst, code);
        if (result === undefined) {
          say(`${path}: could not be replayed, see ${join(own, 'output.txt')}`);
          continue;
        }
        process.stdout.write(`${sentence(result)}  ${path}\n`);
        verdicts.push(result.verdict);
        if (result.verdict === 'fixed' && readSwitch(args, 'prune')) {
          rmSync(path);
          say(`removed ${path}`);
        }
        if (result.verdict !== 'undecided') rmSync(own, { recursive: true, force: true });
      }
    } finally {
      halt.end();
      await workers.close();
    }
    const fixed = verdicts.filter((verdict) => verdict === 'fixed').length;
    say(`${fixed} of ${plural(plans.length, 'case')} fixed`);
    if (worst > 3) return worst;
    if (verdicts.some((verdict) => verdict === 'still-failing' || verdict === 'fails-differently')) return 1;
    return fixed === plans.length ? 0 : 2;
  },
};

/** A case that shows now and then gets as many runs as it took to be sure of it. */
async function replayOne(
  recorded: Case,
  path: string,
  launch: Launch,
  folder: string,
  halt: Halt,
): Promise<{ readonly result?: Replayed; readonly code?: number }> {
  const { times, runs } = recorded.shows;
  const tries = times === runs ? 1 : runs;
  let apart: ApartRun | undefined;
  let result: Replayed | undefined;
  for (let nth = 0; nth < tries && result?.verdict !== 'still-failing'; nth += 1) {
    apart = await runApart(launch, ['--case', path], folder, halt);
    if (apart.report === undefined || apart.report.exitCode > 3) break;
    const again = replayed(recorded, apart.report);
    if (result === undefined || again.verdict === 'still-failing') result = again;
  }
  if (result !== undefined) return { result };
  return { code: apart?.report?.exitCode ?? 70 };
}

function readLaunchOf(args: Arguments, path: string, recorded: Case): Omit<Launch, 'workers'> {
  const given = readWords(args);
  const command = given.length > 0 ? given : recorded.command;
  const flags = [...withoutGiven(recorded.flags, args), ...passedOn.flatMap((name) => flagWords(args, name))];
  const masked = [...(given.length > 0 ? [] : command), ...flags].find((word) => word.includes('***'));
  if (masked !== undefined || command.length === 0) {
    throw new ChaosError(
      'usage',
      masked === undefined
        ? `the case ${path} names no command`
        : `the command of the case ${path} holds a secret that was masked: ${masked}`,
      { hint: `Give it after --: mcp-chaos replay ${path} -- npm test` },
    );
  }
  return { flags, command };
}

/** A flag on the command line takes the place of the recorded one. */
function withoutGiven(flags: readonly string[], args: Arguments): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < flags.length; at += 1) {
    const name = flags[at]!.replace(/^--(no-)?/, '');
    const hasValue = flags[at + 1] !== undefined && !flags[at + 1]!.startsWith('--');
    const words = flags.slice(at, at + (hasValue ? 2 : 1));
    if (args[name] === undefined) kept.push(...words);
    at += words.length - 1;
  }
  return kept;
}

function sentence(result: Replayed): string {
  switch (result.verdict) {
    case 'still-failing':
      return `still failing  ${result.finding.fault}: ${result.finding.outcome}, ${result.finding.message.did}`;
    case 'fails-differently':
      return `still failing, differently  ${result.finding.fault}: ${result.finding.outcome} (${result.finding.level} ${result.finding.obligation}), ${result.finding.message.did}`;
    case 'fixed':
      return 'fixed';
    case 'unreachable':
      return `no longer reachable  the client did not ask for ${result.missing.join('; ')}`;
    case 'undecided':
      return `undecided  ${result.why}`;
  }
}
